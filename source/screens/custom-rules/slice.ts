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
		show(zone: string, ruleset: Ruleset | undefined, undo?: CustomRulesState['undo']): void;
		/** Starts moving the rule under the cursor, in a preview of the new order. */
		beginMove(): void;
		/** Drops the preview of a new order. */
		endMove(): void;
	};

export const createCustomRulesSlice: Slice<CustomRulesSlice> = (set, get, ports) => {
	const getOpenRules = () => get().customRules.data;
	const initial = {ruleset: undefined};
	const {members, change, read, show} = createZoneRows(customRuleList, initial, set, get, ports);
	return {
		...members,
		...createCustomRuleWrites(set, get, ports),
		open(zone) {
			get().customRules.endMove();
			members.open(zone);
		},
		async load(signal) {
			const zone = getOpenRules()?.zone.id;
			if (zone === undefined) return;
			const readCustomRuleset = async () => {
				const [{readRulesetEntryPoint}, {customPhase}] = await Promise.all([
					import('../../rulesets/calls.ts'),
					import('../../rulesets/ruleset.ts'),
				]);
				return readRulesetEntryPoint(await ports.session.client(), zone, customPhase, signal);
			};
			await read(signal, readCustomRuleset, ruleset => get().customRules.show(zone, ruleset));
		},
		show(zone, ruleset, undo) {
			const before = getOpenRules();
			if (before?.zone.id !== zone) return;
			const isMoving = before.moving !== undefined;
			const isSame = ruleset?.version === before.ruleset?.version;
			const rows = isMoving && isSame ? before.rows : getCustomRules({ruleset});
			show({rows, ruleset, ...(!isSame && {moving: undefined}), ...(undo && {undo})});
			if (isMoving && !isSame) get().messages.warn('The rules have changed, so the new order is dropped.');
		},
		move(by) {
			const before = getOpenRules();
			if (before?.moving === undefined) return members.move(by);
			const {moving} = before;
			const {cursor = 0} = customRuleList.applyMove(before, by);
			change({rows: withMovedRule(before.rows, moving, cursor), cursor, lastKey: moving});
		},
		beginMove() {
			const before = getOpenRules();
			const moving = customRuleList.selected(before)?.id;
			if (!before || moving === undefined) return;
			change({...customRuleList.changed(before, {filter: ''}), moving, detail: undefined});
		},
		endMove() {
			const before = getOpenRules();
			if (before?.moving === undefined) return;
			change({...customRuleList.changed(before, {rows: getCustomRules(before)}), moving: undefined});
		},
	};
};

/** Returns the rules with one moved to `place`, from 0. */
function withMovedRule(rules: readonly RulesetRule[], id: string, place: number): readonly RulesetRule[] {
	const others = rules.filter(rule => rule.id !== id);
	const rule = rules.find(one => one.id === id);
	return rule ? others.toSpliced(place, 0, rule) : rules;
}
