import type {Snapshot} from '../../source/migration/zone/snapshot.ts';

/** A complete snapshot of a zone before its migration, which has nothing but the given parts. */
export const buildBareSnapshot = (parts: Partial<Snapshot> = {}): Snapshot => ({
	version: 1,
	taken: '2026-11-21T03:10:00Z',
	place: 'simulated',
	zone: {id: 'z', name: 'acme.example', plan: 'enterprise', label: 'acme.example', account: undefined},
	check: null,
	status: null,
	waf: null,
	packages: [],
	overrides: [],
	firewallRules: [],
	filters: [],
	pageRules: [],
	proposed: null,
	entryPoint: null,
	unread: [],
	...parts,
});
