import {toFailure} from '../../failure.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import type {FirewallZone, Rule} from '../../firewall/rules/rule.ts';
import {bypassesWaf} from '../../firewall/rules/waf-bypass.ts';
import type {Slice} from '../../store/slice.ts';
import {emptyList, pickRows} from '../list/list.ts';
import {createZoneRows, type ZoneListSlice} from '../list/slice.ts';
import {firewallList, isRule} from './listed.ts';
import type {FirewallState} from './state.ts';
import {createFirewallWrites, type FirewallWrites} from './writes.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly firewall: FirewallSlice;
	}
}

type FirewallSlice = ZoneListSlice<FirewallState> &
	FirewallWrites & {
		/** Reads in the background whether the zone has migrated; does nothing if that is known. */
		learnMigration(): void;
		/** Moves the cursor to the other list. */
		changeSide(): void;
		/**
		 * Moves from a rule to its filter, or from a filter to its first rule. Clears a search that hides the
		 * target.
		 */
		toRelated(): void;
	};

type Lists = Pick<FirewallState, 'rules' | 'filters' | 'order'>;

export const createFirewallSlice: Slice<FirewallSlice> = (set, get, ports) => {
	const getFirewall = () => get().firewall.data;
	const behind = pickRows<Rule | Filter>(emptyList);
	const initial = {rules: [], filters: [], order: 'certain', side: 'rules', behind} as const;
	const {members, change, read, show} = createZoneRows(firewallList, initial, set, get, ports);

	async function readRulesAndFilters(zone: FirewallZone, parentSignal: AbortSignal): Promise<Lists> {
		const [{listFirewallRules}, {listFilters}, {sortForEvaluation, getRuleOrdering}] = await Promise.all([
			import('../../firewall/rules/rules.ts'),
			import('../../firewall/rules/filters.ts'),
			import('../../firewall/rules/order.ts'),
		]);
		const client = await ports.session.client();
		// A failure of one read aborts the other.
		const controller = new AbortController();
		const signal = AbortSignal.any([parentSignal, controller.signal]);
		try {
			const [allRules, allFilters] = await Promise.all([
				Array.fromAsync(listFirewallRules(client, zone.id, signal)),
				Array.fromAsync(listFilters(client, zone.id, signal)),
			]);
			const inOrder = sortForEvaluation(allRules);
			const isListed = inOrder.every((rule, index) => rule === allRules[index]);
			const order = getRuleOrdering(allRules) === 'undecided' && !isListed ? 'undecided' : 'certain';
			return {rules: inOrder, filters: allFilters, order};
		} finally {
			controller.abort();
		}
	}

	function showLists(lists: Lists): void {
		const before = getFirewall();
		if (!before) return;
		const {rules, filters} = lists;
		const [rows, others] = before.side === 'rules' ? [rules, filters] : [filters, rules];
		const behind = {...before.behind, ...firewallList.changed(before.behind, {rows: others})};
		show({...lists, rows, behind});
		if (typeof before.pendingKey === 'string') get().firewall.point(before.pendingKey, before.zone.id);
		shareFilter();
	}

	/** Applies the search of the front list to the other one. */
	function shareFilter(): void {
		const now = getFirewall();
		if (now && now.filter !== now.behind.filter)
			change({behind: {...now.behind, ...firewallList.changed(now.behind, {filter: now.filter})}});
	}

	return {
		...members,
		...createFirewallWrites(set, get, ports),
		async load(signal) {
			const zone = getFirewall()?.zone;
			if (!zone) return;
			try {
				const {rules} = await read(signal, () => readRulesAndFilters(zone, signal), showLists);
				if (rules.some(bypassesWaf)) get().firewall.learnMigration();
			} catch (error) {
				// Retired firewall rules are no failure: the custom rules are shown instead.
				if (toFailure(error).code !== 'gone') throw error;
			}
		},
		learnMigration() {
			const firewall = getFirewall();
			if (!firewall || firewall.migrated !== undefined) return;
			void get().work.run('reading the migration status', 'background', async () => {
				const {isMigrated} = await import('../../migration/zone/calls.ts');
				const migrated = await isMigrated(await ports.session.client(), firewall.zone.id);
				if (getFirewall()?.zone.id === firewall.zone.id) change({migrated});
				get().wizard.noteMigration(firewall.zone.id, migrated);
			});
		},
		filter(filter) {
			members.filter(filter);
			shareFilter();
		},
		point(id, zone) {
			const before = getFirewall();
			if (before?.zone.id !== zone) return;
			if (before.behind.rows.some(row => row.id === id)) get().firewall.changeSide();
			members.point(id, zone);
			shareFilter();
		},
		changeSide() {
			const before = getFirewall();
			if (!before) return;
			const side = before.side === 'rules' ? 'filters' : 'rules';
			change({...before.behind, behind: pickRows(before), side, detail: undefined});
		},
		toRelated() {
			const now = getFirewall();
			const row = firewallList.selected(now);
			if (!now || !row) return;
			const target = isRule(row)
				? now.filters.find(({id}) => id === row.filter.id)
				: now.rules.find(({filter}) => filter.id === row.id);
			if (target) get().firewall.point(target.id, now.zone.id);
		},
	};
};
