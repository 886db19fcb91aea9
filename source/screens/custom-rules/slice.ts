import type {Ruleset, RulesetRule} from '../../rulesets/ruleset.ts';
import type {Slice} from '../../store/slice.ts';
import {createZoneRows, type ZoneListSlice} from '../list/slice.ts';
import {type CustomRulesState, customRuleList, getCustomRules} from './state.ts';
import {type CustomRuleWrites, createCustomRuleWrites} from './writes.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly customRules: CustomRulesSlice;
	}
}

type CustomRulesSlice = ZoneListSlice<CustomRulesState> &
	CustomRuleWrites & {
		/**
		 * Shows the rules after a read or a write. Drops the preview of a new order if the version changed.
		 */
		show(zoneId: string, ruleset: Ruleset | undefined): void;
		/** Starts moving the rule under the cursor, in a preview of the new order. */
		beginMove(): void;
		/** Cancels the move, and drops the preview of the new order. */
		cancelMove(): void;
	};

export const createCustomRulesSlice: Slice<CustomRulesSlice> = (set, get, ports) => {
	const getOpenRules = () => get().customRules.data;
	const initialData = {ruleset: undefined};
	const {
		members,
		change,
		read,
		show: showRows,
	} = createZoneRows(customRuleList, initialData, set, get, ports);
	return {
		...members,
		...createCustomRuleWrites(set, get, ports),
		open(zone) {
			get().customRules.cancelMove();
			members.open(zone);
		},
		async load(signal) {
			const zoneId = getOpenRules()?.zone.id;
			if (zoneId === undefined) return;
			const readCustomRuleset = async () => {
				const [{readRulesetEntryPoint}, {customPhase}] = await Promise.all([
					import('../../rulesets/calls.ts'),
					import('../../rulesets/ruleset.ts'),
				]);
				return readRulesetEntryPoint(await ports.session.client(), zoneId, customPhase, signal);
			};
			await read(signal, readCustomRuleset, ruleset => get().customRules.show(zoneId, ruleset));
		},
		show(zoneId, ruleset) {
			const current = getOpenRules();
			if (current?.zone.id !== zoneId) return;
			const isMoving = current.movingRuleId !== undefined;
			const isSameVersion = ruleset?.version === current.ruleset?.version;
			const rows = isMoving && isSameVersion ? current.rows : getCustomRules({ruleset});
			showRows({rows, ruleset, ...(!isSameVersion && {movingRuleId: undefined})});
			if (isMoving && !isSameVersion)
				get().messages.warn('The rules have changed, so your new order was discarded.');
		},
		move(distance) {
			const current = getOpenRules();
			if (current?.movingRuleId === undefined) return members.move(distance);
			const {movingRuleId} = current;
			const {cursor = 0} = customRuleList.applyMove(current, distance);
			change({rows: withMovedRule(current.rows, movingRuleId, cursor), cursor, lastKey: movingRuleId});
		},
		beginMove() {
			const current = getOpenRules();
			const movingRuleId = customRuleList.getSelected(current)?.id;
			if (!current || movingRuleId === undefined) return;
			change({
				...customRuleList.applyChange(current, {filter: ''}),
				movingRuleId,
				detail: undefined,
			});
		},
		cancelMove() {
			const current = getOpenRules();
			if (current?.movingRuleId === undefined) return;
			change({
				...customRuleList.applyChange(current, {rows: getCustomRules(current)}),
				movingRuleId: undefined,
			});
		},
	};
};

/** Returns the rules with one moved to `index`. */
function withMovedRule(rules: readonly RulesetRule[], id: string, index: number): readonly RulesetRule[] {
	const otherRules = rules.filter(rule => rule.id !== id);
	const rule = rules.find(one => one.id === id);
	return rule ? otherRules.toSpliced(index, 0, rule) : rules;
}
