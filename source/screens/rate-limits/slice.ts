import type {RulesetRule} from '../../rulesets/ruleset.ts';
import type {Slice} from '../../store/slice.ts';
import type {OpenedZone} from '../firewall/state.ts';
import {createReader, emptyList, type ListState, listOf} from '../shell/list.ts';

/** A rate limit with its place in the order of evaluation, from 1. */
export type PlacedLimit = {readonly rule: RulesetRule; readonly place: number};

/** The rate limits of a zone, which are shown and never changed. */
export type RateLimitsState = ListState<PlacedLimit> & {
	readonly zone: OpenedZone;
	/** Set while all of the rule under the cursor is shown in place of the list: its first row in view. */
	readonly detail?: number | undefined;
};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly rateLimits: RateLimitsSlice;
	}
}

type RateLimitsSlice = {
	readonly data: RateLimitsState | undefined;
	/** Opens those of a zone; what was read of another zone goes. */
	open(zone: OpenedZone): void;
	/** Reads them, the cursor on the same rule as before. */
	load(signal: AbortSignal): Promise<void>;
	move(by: number): void;
	filter(filter: string): void;
	/** Shows all of the rule under the cursor from a row on, or the list again. */
	showDetail(top: number | undefined): void;
};

const limits = listOf<PlacedLimit>(
	({rule, place}) => rule.id ?? String(place),
	({rule: {expression, action, description = '', ref = '', id = ''}}) => [
		expression,
		action,
		description,
		ref,
		id,
	],
);

export const {visible: visibleLimits} = limits;

/** The rate limit under the cursor. */
export const limitUnderCursor = (state: RateLimitsState | undefined): PlacedLimit | undefined =>
	state && limits.selected(state);

export const createRateLimitsSlice: Slice<RateLimitsSlice> = (set, get, {session}) => {
	const change = (part: Partial<RateLimitsState>) =>
		set(({data: rateLimits}) => (rateLimits ? {data: {...rateLimits, ...part}} : {}));
	const {read, forget} = createReader(() => get().rateLimits.data ?? emptyList, change);

	return {
		data: undefined,
		open(zone) {
			if (get().rateLimits.data?.zone.id === zone.id) return change({zone, detail: undefined});
			forget();
			set({data: {...emptyList, zone}});
		},
		load: async signal =>
			void (await read(
				signal,
				async () => {
					const rateLimits = get().rateLimits.data;
					if (!rateLimits) return [];
					const {rateLimits: reading} = await import('../../firewall/rules/rate-limit.ts');
					const ruleset = await reading(await session.client(), rateLimits.zone.id, signal);
					return ruleset?.rules ?? [];
				},
				found => {
					const rateLimits = get().rateLimits.data;
					if (!rateLimits) return;
					const rows = found.map((rule, index) => ({rule, place: index + 1}));
					change(limits.changed(rateLimits, {rows, reading: 'read', failure: undefined}));
					if (!limitUnderCursor(get().rateLimits.data)) change({detail: undefined});
				},
			)),
		move(by) {
			const rateLimits = get().rateLimits.data;
			if (rateLimits) change(limits.moved(rateLimits, by));
		},
		filter(filter) {
			const rateLimits = get().rateLimits.data;
			if (rateLimits) change(limits.changed(rateLimits, {filter}));
		},
		showDetail: top => change({detail: top === undefined ? undefined : Math.max(0, top)}),
	};
};
