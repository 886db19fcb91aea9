import {asFailure} from '../../failure.ts';
import type {Ruleset} from '../../rulesets/ruleset.ts';
import {wayThere} from '../../session/qualify-commands.ts';
import type {Slice} from '../../store/slice.ts';
import type {OpenedZone} from '../firewall/state.ts';
import {cursorOn, movedCursor} from '../list/list.ts';
import {stillShown, wasRead} from '../shell/rereading.ts';
import {
	type CustomRulesState,
	customRuleUnderCursor,
	placeOfRule,
	rulesOf,
	visibleCustomRules,
} from './state.ts';
import {type CustomRuleWrites, createCustomRuleWrites} from './writes.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly customRules: CustomRulesSlice;
	}
}

type CustomRulesSlice = CustomRuleWrites & {
	readonly data: CustomRulesState | undefined;
	/** Opens the custom rules of a zone; what was read of another zone goes. */
	open(zone: OpenedZone): void;
	/** Reads them, the cursor on the same rule as before. */
	load(signal: AbortSignal): Promise<void>;
	/** Shows what a read or a write has returned. */
	show(zone: string, ruleset: Ruleset | undefined, rest?: Partial<CustomRulesState>): void;
	/** What is shown may be outdated: something was written, and the rules were not read since. */
	markStale(): void;
	move(by: number): void;
	filter(sought: string): void;
	/** Sets the cursor on a rule of a zone, now or once it is read; what hides it from view is taken back. */
	point(id: string, zone: string): void;
	/** Shows all of the rule under the cursor from a row on, or the list again. */
	showDetail(top: number | undefined): void;
	/** Begins to move the rule under the cursor, in a preview of the new order. */
	beginMove(): void;
	/** Drops the preview. */
	endMove(): void;
};

export const createCustomRulesSlice: Slice<CustomRulesSlice> = (set, get, ports) => {
	const change = (part: Partial<CustomRulesState>) =>
		set(({data: customRules}) => (customRules ? {data: {...customRules, ...part}} : {}));

	/** Counts the readings: what an earlier one brings is not shown over a later one. */
	let latest = 0;

	/** The cursor on the rule that it was on, or on the wanted one. */
	function withCursor(before: CustomRulesState, after: CustomRulesState, wanted?: string): CustomRulesState {
		const id = wanted ?? customRuleUnderCursor(before)?.id ?? before.lastOn;
		const rows = visibleCustomRules(after);
		return {...after, cursor: cursorOn(rows, rule => rule.id === id, before.cursor)};
	}

	return {
		data: undefined,
		open(chosen) {
			const customRules = get().customRules.data;
			const zone = {...chosen, way: wayThere(ports.session.options)};
			if (customRules?.zone.id === zone.id) return change({zone, detail: undefined, moving: undefined});
			latest++;
			set({data: {zone, reading: 'unread', ruleset: undefined, cursor: 0, sought: ''}});
		},
		async load(signal) {
			const customRules = get().customRules.data;
			if (!customRules) return;
			const {zone} = customRules;
			const reading = ++latest;
			const before = stillShown(customRules);
			change({reading: before ? 'reading again' : 'reading'});
			try {
				const [{entryPoint}, {customPhase}] = await Promise.all([
					import('../../rulesets/calls.ts'),
					import('../../rulesets/ruleset.ts'),
				]);
				const ruleset = await entryPoint(await ports.session.client(), zone.id, customPhase, signal);
				if (reading === latest) get().customRules.show(zone.id, ruleset);
			} catch (error) {
				const failure = asFailure(error);
				if (reading === latest && signal.aborted) change({reading: before ?? 'unread'});
				else if (reading === latest) change({reading: before ?? 'failed', failure});
				throw failure;
			}
		},
		show(zone, ruleset, rest = {}) {
			const customRules = get().customRules.data;
			if (customRules?.zone.id !== zone) return;
			latest++;
			const {awaited, moving, sought} = customRules;
			const isThere = (id: string | undefined) => ruleset?.rules.some(rule => rule.id === id) ?? false;
			const found = isThere(awaited) ? awaited : undefined;
			// A preview of a new order is one of the rules that were shown.
			const isDropped = moving && ruleset?.version !== customRules.ruleset?.version;
			const under = customRuleUnderCursor(customRules)?.id;
			const next: CustomRulesState = {
				...customRules,
				ruleset,
				reading: 'read',
				failure: undefined,
				...(found !== undefined && {awaited: undefined, sought: ''}),
				...(isDropped && {moving: undefined}),
				...rest,
			};
			const shown = withCursor(customRules, {...next, sought: next.sought ?? sought}, found);
			const isGone = customRules.detail !== undefined && !isThere(under);
			set({data: isGone ? {...shown, detail: undefined} : shown});
			if (isGone) get().messages.warn('The rule that was shown is gone.');
			else if (isDropped) get().messages.warn('The rules have changed, so the new order is dropped.');
		},
		markStale() {
			const customRules = get().customRules.data;
			if (customRules && wasRead(customRules)) change({reading: 'stale'});
		},
		move(by) {
			const customRules = get().customRules.data;
			if (!customRules) return;
			const {moving} = customRules;
			const rows = visibleCustomRules(customRules);
			const cursor = movedCursor(customRules.cursor, by, rows.length);
			const order = moving && moved(moving.order, moving.id, cursor);
			change({
				cursor,
				awaited: undefined,
				lastOn: moving?.id ?? rows[cursor]?.id ?? customRules.lastOn,
				...(order && {moving: {...moving, order}}),
			});
		},
		filter(sought) {
			const customRules = get().customRules.data;
			if (!customRules) return;
			const lastOn = customRules.sought === '' ? customRuleUnderCursor(customRules)?.id : customRules.lastOn;
			const before = {...customRules, lastOn};
			set({data: withCursor(before, {...before, sought})});
		},
		point(id, zone) {
			const customRules = get().customRules.data;
			if (customRules?.zone.id !== zone) return;
			if (placeOfRule(rulesOf(customRules), {id}) === 0) return change({awaited: id});
			const shown = {...customRules, sought: '', detail: undefined, awaited: undefined};
			set({data: withCursor(customRules, shown, id)});
		},
		showDetail: top => change({detail: top === undefined ? undefined : Math.max(0, top)}),
		beginMove() {
			const customRules = get().customRules.data;
			const rule = customRuleUnderCursor(customRules);
			if (!customRules || !rule) return;
			const order = rulesOf(customRules);
			change({
				moving: {id: rule.id, order},
				sought: '',
				detail: undefined,
				cursor: placeOfRule(order, rule) - 1,
			});
		},
		endMove() {
			const customRules = get().customRules.data;
			if (!customRules?.moving) return;
			const {id} = customRules.moving;
			set({data: withCursor(customRules, {...customRules, moving: undefined}, id)});
		},
		...createCustomRuleWrites(set, get, ports),
	};
};

/** The rules with one of them at another place, counted from 0. */
function moved<Rule extends {readonly id?: string | undefined}>(
	rules: readonly Rule[],
	id: string,
	place: number,
): readonly Rule[] {
	const others = rules.filter(rule => rule.id !== id);
	const rule = rules.find(one => one.id === id);
	return rule ? others.toSpliced(place, 0, rule) : rules;
}
