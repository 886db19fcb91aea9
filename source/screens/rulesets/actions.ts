import {nameKey} from '../../keyboard/named-keys.ts';
import type {Ruleset} from '../../rulesets/ruleset.ts';
import type {LedgeState, StateWith} from '../../store/ledge-store.ts';
import {getRulesBlockedReason, type LoadState} from '../list/reading.ts';
import {createActionFactory, withSelection} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {readVersions} from '../versions/versions.ts';
import {rulesetActionIds} from './action-ids.ts';
import type {OpenedRules} from './writes.ts';

type RulesetName = 'custom rules' | 'managed rules' | 'rate limits';

/** Explains why rules cannot be changed now; undefined if they can. Allows one write at a time. */
export function getWriteBlockedReason(
	state: StateWith<'connection'> & StateWith<'work', 'list'>,
	rules: {readonly reading: LoadState} | undefined,
	rulesNoun: RulesetName,
): string | undefined {
	const unreadReason = getRulesBlockedReason(state, rules);
	if (unreadReason !== undefined) return unreadReason;
	const pendingWrite = state.work.list.find(({subject}) => subject?.kind === rulesNoun);
	return pendingWrite && `still ${pendingWrite.label}`;
}

type RulesetActions = Pick<Action, 'group' | 'where' | 'isActive'> & {
	readonly rulesNoun: RulesetName;
	readonly screen: keyof typeof rulesetActionIds;
	isUndoActive(state: LedgeState): boolean;
	getOpenedRules(state: LedgeState): OpenedRules | undefined;
	getBlockedReason(state: LedgeState): string | undefined;
};

/** Builds the actions for earlier versions and for undo, the same for all phases. */
export function buildRulesetActions({
	rulesNoun,
	screen,
	isActive,
	isUndoActive,
	getOpenedRules,
	getBlockedReason,
	...common
}: RulesetActions): readonly [versions: Action, undo: Action] {
	const action = createActionFactory(common.group, common.where);
	const ids = rulesetActionIds[screen];

	function openVersions(app: App, ruleset: Ruleset): void {
		const {zone} = getOpenedRules(app.state()) ?? {};
		if (!zone) return;
		const {describeChange, describeRule, restore} = app.state()[screen];
		app.state().versions.open({
			zone,
			ruleset,
			rulesNoun,
			describeChange,
			describeRule,
			getBlockedReason: () => getBlockedReason(app.state()),
			restore,
		});
		app.state().navigation.go('versions');
		readVersions(app);
	}

	function getUndoBlockedReason(state: LedgeState): string | undefined {
		const {zone, ruleset} = getOpenedRules(state) ?? {};
		const lastChange = zone && state[screen].getLastChange(zone.id);
		if (!lastChange)
			return `no changes made here in this session; ${nameKey(ids.versions, 'V')} shows earlier versions`;
		return ruleset?.version === lastChange.createdVersion
			? undefined
			: `the rules were changed elsewhere since then; ${nameKey(ids.versions, 'V')} shows earlier versions`;
	}

	return [
		action(ids.versions, ['V'], `show earlier versions of the ${rulesNoun}, and restore one`, {
			effect: 'prepares a write',
			paletteMode: 'at once',
			hint: 'versions',
			searchTerms: ['history', 'restore', 'roll back', 'previous versions', 'older rules'],
			...(isActive && {isActive}),
			...withSelection(
				state => getOpenedRules(state)?.ruleset,
				`the zone has no ${rulesNoun} yet`,
				openVersions,
			),
		}),
		action(ids.undo, ['u'], `undo the last change to ${rulesNoun} made here`, {
			effect: 'writes',
			paletteMode: 'never',
			hint: 'undo',
			searchTerms: ['take back', 'revert', 'roll back'],
			isActive: isUndoActive,
			getUnavailableReason: state => getBlockedReason(state) ?? getUndoBlockedReason(state),
			run: ({state}) => state()[screen].undoLastChange(),
		}),
	];
}
