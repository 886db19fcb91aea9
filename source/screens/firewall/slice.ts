import {asFailure} from '../../failure.ts';
import type {FirewallZone} from '../../firewall/rules/rule.ts';
import {bypassesWaf} from '../../firewall/rules/waf-bypass.ts';
import {wayThere} from '../../session/qualify-commands.ts';
import type {Slice} from '../../store/slice.ts';
import {stillShown, wasRead} from '../shell/rereading.ts';
import {
	filterUnderCursor,
	idOf,
	ruleUnderCursor,
	selectedIn,
	visibleFilters,
	visibleRules,
} from './listed.ts';
import type {FirewallState, OpenedZone, Place} from './state.ts';
import {createFirewallWrites, type FirewallWrites} from './writes.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly firewall: FirewallSlice;
	}
}

type FirewallSlice = FirewallWrites & {
	readonly data: FirewallState | undefined;
	/** Opens a zone; what was read of another zone goes. */
	open(zone: OpenedZone): void;
	/** Reads the filters and rules of the open zone, the cursors on the same ones as before. */
	load(signal: AbortSignal): Promise<void>;
	/** Finds out whether the zone has migrated, in the background; nothing where that is not known. */
	learnMigration(): void;
	/** Sets the cursor on a rule or filter of a zone, now or once it is read; what hides it from view is taken back. */
	point(place: Place, zone: string): void;
	/** What is shown may be outdated: something was written, and the lists were not read since. */
	markStale(): void;
	move(by: number): void;
	/** Moves the cursor to the other list. */
	changeSide(): void;
	/** From a rule to its filter, from a filter to the first of its rules. What hides it from view is taken back. */
	toRelated(): void;
	filter(sought: string): void;
	/** Shows all of what is selected from a row on, or the lists again. */
	showDetail(top: number | undefined): void;
};

type Lists = Pick<FirewallState, 'rules' | 'filters' | 'order'>;

export const createFirewallSlice: Slice<FirewallSlice> = (set, get, ports) => {
	const change = (part: Partial<FirewallState>) =>
		set(({data: firewall}) => (firewall ? {data: {...firewall, ...part}} : {}));

	/** Counts the readings: what an earlier one brings is not shown over a later one. */
	let latest = 0;

	async function found(zone: FirewallZone, outer: AbortSignal): Promise<Lists> {
		const [{rules}, {filters}, {evaluationOrder, orderingOf}] = await Promise.all([
			import('../../firewall/rules/rules.ts'),
			import('../../firewall/rules/filters.ts'),
			import('../../firewall/rules/order.ts'),
		]);
		const client = await ports.session.client();
		// A failure of one ends the other, too.
		const ended = new AbortController();
		const signal = AbortSignal.any([outer, ended.signal]);
		try {
			const [allRules, allFilters] = await Promise.all([
				Array.fromAsync(rules(client, zone.id, signal)),
				Array.fromAsync(filters(client, zone.id, signal)),
			]);
			const inOrder = evaluationOrder(allRules);
			const isListed = inOrder.every((rule, index) => rule === allRules[index]);
			const order = orderingOf(allRules) === 'undecided' && !isListed ? 'undecided' : 'certain';
			return {rules: inOrder, filters: allFilters, order};
		} finally {
			ended.abort();
		}
	}

	/**
	 * Shows what was read, each cursor on what it was on; where that is gone, on what came after it. What was shown
	 * whole does not turn into another one: then the lists are shown, with a word about what has become of it.
	 */
	function show(read: Lists): void {
		const firewall = get().firewall.data;
		if (!firewall) return;
		const next = withCursors(firewall, {...firewall, ...read, reading: 'read', failure: undefined});
		const pointed = next.awaited && pointedAt(next, next.awaited);
		if (pointed) {
			set({data: pointed});
			return;
		}
		const before = selectedIn(firewall);
		const isSame = idOf(before) === idOf(selectedIn(next));
		set({data: isSame ? next : {...next, detail: undefined}});
		if (!isSame && before && firewall.detail !== undefined)
			get().messages.warn(`The ${before.kind} that was shown is gone; these are the ones that are there.`);
	}

	return {
		data: undefined,
		open(chosen) {
			const firewall = get().firewall.data;
			const zone = {...chosen, way: wayThere(ports.session.options)};
			if (firewall?.zone.id === zone.id) return change({zone, detail: undefined});
			latest++;
			set({
				data: {
					zone,
					reading: 'unread',
					rules: [],
					filters: [],
					order: 'certain',
					side: 'rules',
					cursors: {rules: 0, filters: 0},
					sought: '',
					lastOn: {},
				},
			});
		},
		async load(signal) {
			const firewall = get().firewall.data;
			if (!firewall) return;
			const reading = ++latest;
			const before = stillShown(firewall);
			change({reading: before ? 'reading again' : 'reading'});
			try {
				const read = await found(firewall.zone, signal);
				if (reading === latest) show(read);
				if (read.rules.some(bypassesWaf)) get().firewall.learnMigration();
			} catch (error) {
				const failure = asFailure(error);
				if (reading === latest && signal.aborted) change({reading: before ?? 'unread'});
				else if (reading === latest) change({reading: before ?? 'failed', failure});
				// A zone without firewall rules and filters is a fact about it: its custom rules are shown.
				if (failure.code !== 'gone') throw failure;
			}
		},
		markStale() {
			const firewall = get().firewall.data;
			if (firewall && wasRead(firewall)) change({reading: 'stale'});
		},
		learnMigration() {
			const firewall = get().firewall.data;
			if (!firewall || firewall.migrated !== undefined) return;
			void get().work.run('reading the migration status', 'background', async () => {
				const {isMigrated} = await import('../../migration/zone/calls.ts');
				const migrated = await isMigrated(await ports.session.client(), firewall.zone.id);
				if (get().firewall.data?.zone.id === firewall.zone.id) change({migrated});
				get().wizard.noteMigration(firewall.zone.id, migrated);
			});
		},
		point(place, zone) {
			const firewall = get().firewall.data;
			if (firewall?.zone.id !== zone) return;
			set({data: pointedAt(firewall, place) ?? {...firewall, awaited: place}});
		},
		move(by) {
			const firewall = get().firewall.data;
			if (!firewall) return;
			const {side, cursors, lastOn} = firewall;
			const rows = (side === 'rules' ? visibleRules : visibleFilters)(firewall);
			const moved = Math.max(0, Math.min(rows.length - 1, cursors[side] + by));
			change({
				cursors: {...cursors, [side]: moved},
				// Whoever moves has decided where the cursor is.
				awaited: undefined,
				lastOn: {...lastOn, [side]: rows[moved]?.id ?? lastOn[side]},
			});
		},
		changeSide() {
			const side = get().firewall.data?.side === 'rules' ? 'filters' : 'rules';
			change({side, detail: undefined});
		},
		toRelated() {
			const firewall = get().firewall.data;
			if (!firewall) return;
			const {cursors, side, rules, filters} = firewall;
			const rule = side === 'rules' ? visibleRules(firewall)[cursors.rules] : undefined;
			const filter = side === 'filters' ? visibleFilters(firewall)[cursors.filters] : undefined;
			const target = rule
				? filters.find(({id}) => id === rule.filter.id)
				: rules.find(one => one.filter.id === filter?.id);
			if (!target) return;
			const kind = side === 'rules' ? 'filter' : 'rule';
			set({data: pointedAt(firewall, {kind, id: target.id}) ?? firewall});
		},
		filter(sought) {
			const firewall = get().firewall.data;
			if (!firewall) return;
			const lastOn =
				firewall.sought === ''
					? {rules: ruleUnderCursor(firewall)?.id, filters: filterUnderCursor(firewall)?.id}
					: firewall.lastOn;
			set({data: withCursors({...firewall, lastOn}, {...firewall, lastOn, sought})});
		},
		showDetail: top => change({detail: top === undefined ? undefined : Math.max(0, top)}),
		...createFirewallWrites(set, get, ports),
	};
};

/** The lists with the cursor on a rule or filter; `undefined` where they do not have it. */
function pointedAt(firewall: FirewallState, {kind, id}: Place): FirewallState | undefined {
	const side = kind === 'rule' ? 'rules' : 'filters';
	const isIt = (one: {readonly id: string}) => one.id === id;
	if (!firewall[side].some(isIt)) return undefined;
	const visible = (state: FirewallState) => (side === 'rules' ? visibleRules : visibleFilters)(state);
	const shown = visible(firewall).some(isIt) ? firewall : withCursors(firewall, {...firewall, sought: ''});
	return {
		...shown,
		side,
		detail: undefined,
		awaited: undefined,
		cursors: {...shown.cursors, [side]: visible(shown).findIndex(isIt)},
		lastOn: {...shown.lastOn, [side]: id},
	};
}

/** The state that comes after another one, each cursor on what it was on, or else near to where it was. */
function withCursors(before: FirewallState, after: FirewallState): FirewallState {
	const place = (
		visible: (state: FirewallState) => readonly {readonly id: string}[],
		cursor: number,
		last: string | undefined,
	): number => {
		const id = visible(before)[cursor]?.id ?? last;
		const rows = visible(after);
		const index = rows.findIndex(row => row.id === id);
		return index === -1 ? Math.max(0, Math.min(cursor, rows.length - 1)) : index;
	};
	return {
		...after,
		cursors: {
			rules: place(visibleRules, before.cursors.rules, before.lastOn.rules),
			filters: place(visibleFilters, before.cursors.filters, before.lastOn.filters),
		},
	};
}
