import {toFailure} from '../../failure.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import type {FirewallZone, Rule} from '../../firewall/rules/rule.ts';
import {bypassesWaf} from '../../firewall/rules/waf-bypass.ts';
import type {Slice} from '../../store/slice.ts';
import {emptyList, pickRows} from '../list/list.ts';
import {createZoneRows, type ZoneListSlice} from '../list/slice.ts';
import {firewallList, isRule} from './list.ts';
import type {FirewallState} from './state.ts';
import {createFirewallWrites, type FirewallWrites} from './writes.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly firewall: FirewallSlice;
	}
}

export type FirewallSlice = ZoneListSlice<FirewallState> &
	FirewallWrites & {
		/** Reads in the background whether the zone has migrated; does nothing if that is known. */
		readMigrationStatus(): void;
		/** Notes that the service refuses changes of the zone's rules because they are retired. */
		noteRetirement(zoneId: string): void;
		/** Moves the cursor to the other list. */
		switchSide(): void;
		/**
		 * Moves from a rule to its filter, or from a filter to its first rule. Clears a search that hides the
		 * target.
		 */
		goToRelated(): void;
		/** Returns to the row that `goToRelated` left. Returns false if there is none. */
		returnFromRelated(): boolean;
	};

type Lists = Pick<FirewallState, 'rules' | 'filters' | 'order'>;

export const createFirewallSlice: Slice<FirewallSlice> = (set, get, ports) => {
	const getFirewall = () => get().firewall.data;
	const otherList = pickRows<Rule | Filter>(emptyList);
	const initialData = {
		rules: [],
		filters: [],
		order: 'certain',
		side: 'rules',
		otherList,
	} as const;
	const {members, change, read, show} = createZoneRows(firewallList, initialData, set, get, ports);

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
			const sortedRules = sortForEvaluation(allRules);
			const isListedOrder = sortedRules.every((rule, index) => rule === allRules[index]);
			const order = getRuleOrdering(allRules) === 'undecided' && !isListedOrder ? 'undecided' : 'certain';
			return {rules: sortedRules, filters: allFilters, order};
		} finally {
			controller.abort();
		}
	}

	function showLists(lists: Lists): void {
		const current = getFirewall();
		if (!current) return;
		const {rules, filters} = lists;
		const [rows, otherRows] = current.side === 'rules' ? [rules, filters] : [filters, rules];
		const otherList = {
			...current.otherList,
			...firewallList.applyChange(current.otherList, {rows: otherRows}),
		};
		show({...lists, rows, otherList});
		if (typeof current.pendingKey === 'string') get().firewall.focusRow(current.pendingKey, current.zone.id);
		shareFilter();
	}

	/** Applies the search of the front list to the other one. */
	function shareFilter(): void {
		const current = getFirewall();
		if (current && current.filter !== current.otherList.filter)
			change({
				otherList: {
					...current.otherList,
					...firewallList.applyChange(current.otherList, {filter: current.filter}),
				},
			});
	}

	return {
		...members,
		...createFirewallWrites(set, get, ports),
		async load(signal) {
			const zone = getFirewall()?.zone;
			if (!zone) return;
			try {
				const {rules} = await read(signal, () => readRulesAndFilters(zone, signal), showLists);
				if (rules.some(bypassesWaf)) get().firewall.readMigrationStatus();
			} catch (error) {
				// Retired firewall rules are no failure: the custom rules are shown instead.
				if (toFailure(error).code !== 'gone') throw error;
			}
		},
		readMigrationStatus() {
			const firewall = getFirewall();
			if (!firewall || firewall.migrated !== undefined) return;
			void get().work.run('loading the migration status', 'background', async () => {
				const {isMigrated} = await import('../../migration/zone/calls.ts');
				const migrated = await isMigrated(await ports.session.client(), firewall.zone.id);
				if (getFirewall()?.zone.id === firewall.zone.id) change({migrated});
				get().wizard.noteMigration(firewall.zone.id, migrated);
			});
		},
		noteRetirement(zoneId) {
			if (getFirewall()?.zone.id === zoneId) change({areWritesRetired: true});
		},
		filter(filter) {
			members.filter(filter);
			shareFilter();
		},
		focusRow(id, zoneId) {
			const current = getFirewall();
			if (current?.zone.id !== zoneId) return;
			if (current.otherList.rows.some(row => row.id === id)) get().firewall.switchSide();
			members.focusRow(id, zoneId);
			shareFilter();
		},
		switchSide() {
			const current = getFirewall();
			if (!current) return;
			const side = current.side === 'rules' ? 'filters' : 'rules';
			change({
				...current.otherList,
				otherList: pickRows(current),
				side,
				detail: undefined,
				relatedFrom: undefined,
			});
		},
		unmark(ids) {
			const current = getFirewall();
			if (current?.side === 'rules') return members.unmark(ids);
			if (!current) return;
			const markedKeys = ids && current.otherList.markedKeys?.difference(new Set(ids));
			change({otherList: {...current.otherList, markedKeys, rangeStart: undefined}});
		},
		goToRelated() {
			const current = getFirewall();
			const row = firewallList.getSelected(current);
			if (!current || !row) return;
			const target = isRule(row)
				? current.filters.find(({id}) => id === row.filter.id)
				: current.rules.find(({filter}) => filter.id === row.id);
			if (!target) return;
			get().firewall.focusRow(target.id, current.zone.id);
			change({relatedFrom: row.id});
		},
		returnFromRelated() {
			const current = getFirewall();
			const isListed = current?.otherList.rows.some(({id}) => id === current.relatedFrom);
			if (current?.relatedFrom === undefined || !isListed) return false;
			get().firewall.focusRow(current.relatedFrom, current.zone.id);
			return true;
		},
	};
};
