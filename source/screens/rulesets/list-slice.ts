import {Failure} from '../../failure.ts';
import {formatRulesCommand} from '../../firewall/commands.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {changeRuleset} from '../../rulesets/change.ts';
import {describeRuleChange} from '../../rulesets/change-words.ts';
import {computeRulesetEdit, type RulesetEdit} from '../../rulesets/edit.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import type {Slice} from '../../store/slice.ts';
import {createZoneRows} from '../list/slice.ts';
import {
	findRulePosition,
	getListedRules,
	hasUnsentOrder,
	type RuleList,
	type RuleListSlice,
	type RuleListState,
} from './rule-list.ts';
import {createRulesetWrites, type RulesetPlan} from './writes.ts';

/** Creates the slice of a list of rules: reading, writes, and moving a rule in a preview of the order. */
export const createRuleListSlice =
	(list: RuleList): Slice<RuleListSlice> =>
	(set, get, ports) => {
		const {phase, noun, shortNoun, listScreen, commandOptions, formatAction, findZoneNameReasons} = list.type;
		const getSlice = () => list.getSlice(get());
		const getData = () => getSlice().data;
		const initialData = {ruleset: undefined};
		const {members, change, read, show: showRows} = createZoneRows(list, initialData, set, get, ports);

		function plan(newRules: readonly RulesetRule[], chosenEdit?: RulesetEdit): RulesetPlan {
			const data = getData();
			if (!data) throw new Failure('internal', 'No zone is open.');
			const {zone, ruleset: currentRuleset} = data;
			const currentRules = getListedRules(data);
			const minimalEdit = computeRulesetEdit(currentRules, newRules);
			return {
				zone,
				ruleset: currentRuleset,
				zoneNameReasons: findZoneNameReasons(zone, currentRules, newRules),
				send:
					minimalEdit &&
					((client, _typedZoneName, signal) =>
						changeRuleset(
							client,
							{
								zoneId: zone.id,
								phase,
								baseline: currentRuleset,
								edit: chosenEdit ?? minimalEdit,
								inspectCommand: formatRulesCommand(zone, ['list', ...commandOptions]),
							},
							{signal},
						)),
			};
		}

		const writes = createRulesetWrites<RuleListState>(get, ports.session, {
			rulesNoun: `${noun}s`,
			screenName: listScreen,
			getOpenedRules: getData,
			plan,
			describeChange: describeRuleChange,
			describeRule: rule =>
				`${formatAction(rule)} where ${rule.expression}${rule.enabled === false ? ', paused' : ''}`,
			show(zoneId, current) {
				getSlice().show(zoneId, current);
				getSlice().unmark();
			},
			showConcurrentChange(zoneId, current) {
				getSlice().show(zoneId, current);
				return `The list now shows the current ${shortNoun}s: make your change again.`;
			},
			load: signal => getSlice().load(signal),
			markStale: () => getSlice().markStale(),
		});

		return {
			...members,
			...writes,
			plan,
			open(zone) {
				const current = getData();
				// The same zone keeps the order that has not been sent.
				if (current?.movingRuleId !== undefined && current.zone.id !== zone.id)
					get().messages.warn(
						`The new order of the ${noun}s of ${current.zone.name} was not sent, and is discarded.`,
					);
				members.open(zone);
			},
			async load(signal) {
				const zoneId = getData()?.zone.id;
				if (zoneId === undefined) return;
				const readEntryPoint = async () => {
					const {readRulesetEntryPoint} = await import('../../rulesets/calls.ts');
					return readRulesetEntryPoint(await ports.session.client(), zoneId, phase, signal);
				};
				await read(signal, readEntryPoint, ruleset => getSlice().show(zoneId, ruleset));
			},
			show(zoneId, ruleset) {
				const current = getData();
				if (current?.zone.id !== zoneId) return;
				const isMoving = current.movingRuleId !== undefined;
				const isSameVersion = ruleset?.version === current.ruleset?.version;
				const rows = isMoving && isSameVersion ? current.rows : getListedRules({ruleset});
				showRows({rows, ruleset, ...(!isSameVersion && {movingRuleId: undefined})});
				if (isMoving && !isSameVersion)
					get().messages.warn(`The ${shortNoun}s have changed, so your new order was discarded.`);
			},
			move(distance) {
				const current = getData();
				if (current?.movingRuleId === undefined) return members.move(distance);
				const {movingRuleId} = current;
				const {cursor = 0} = list.applyMove(current, distance);
				change({rows: withMovedRule(current.rows, movingRuleId, cursor), cursor, lastKey: movingRuleId});
			},
			beginMove() {
				const current = getData();
				const movingRuleId = list.getSelected(current)?.id;
				if (!current || movingRuleId === undefined) return;
				change({...list.applyChange(current, {filter: ''}), movingRuleId, detail: undefined});
				const {cancelledMove, rows, ruleset} = current;
				if (cancelledMove?.ruleId === movingRuleId && cancelledMove.version === ruleset?.version)
					getSlice().move(cancelledMove.position - findRulePosition(rows, {id: movingRuleId}));
			},
			cancelMove() {
				const current = getData();
				if (current?.movingRuleId === undefined) return;
				const {movingRuleId: ruleId, rows, ruleset} = current;
				const currentRules = getListedRules(current);
				change({
					...list.applyChange(current, {rows: currentRules}),
					movingRuleId: undefined,
					cancelledMove: {ruleId, position: findRulePosition(rows, {id: ruleId}), version: ruleset?.version},
				});
				if (hasUnsentOrder(current))
					get().messages.say(
						`Order not sent: the ${shortNoun} stays at position ${findRulePosition(currentRules, {id: ruleId})}. ${nameKey(`${list.id}.move`, 'O')} continues the move.`,
					);
			},
		};
	};

/** Returns the rules with one moved to `index`. */
function withMovedRule(rules: readonly RulesetRule[], id: string, index: number): readonly RulesetRule[] {
	const otherRules = rules.filter(rule => rule.id !== id);
	const rule = rules.find(one => one.id === id);
	return rule ? otherRules.toSpliced(index, 0, rule) : rules;
}
