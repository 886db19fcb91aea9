import {expect, test} from 'vitest';
import {actions} from '../../../source/screens/actions.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {migratedSampleZone, openMigratedCustomRules} from '../support/custom-rules.ts';
import {createTestApp} from '../support/drawn.tsx';
import {openShopFirewall} from '../support/firewall.ts';
import {atManaged} from '../support/managed.ts';
import {listPaletteActions} from '../support/palette.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

type Wish = readonly [query: string, ...meant: readonly string[]];

/**
 * What three people who had not seen ledge would type on each screen, and the actions that do what they meant.
 */
const wishes: Readonly<Record<string, readonly Wish[]>> = {
	home: [
		['stop attack now', 'go.emergency'],
		['what is happening', 'go.events'],
		['change account', 'go.contexts'],
		['am i on live or test', 'go.contexts', 'namespaces.where'],
		['show traffic graph', 'metrics.open'],
		['ns', 'go.namespaces'],
		['ctx', 'go.contexts'],
		['use prod', 'go.contexts'],
		['whoami', 'go.contexts'],
		['local', 'namespaces.where'],
		['waf', 'go.firewall'],
		['q', 'quit'],
		['switch acct', 'go.contexts'],
		['prod', 'go.contexts'],
		['go live data not local', 'namespaces.where'],
		['where am i', 'go.contexts'],
		['kv', 'go.namespaces'],
		['whats running', 'go.jobs'],
		['under attack', 'go.emergency', 'firewall.emergency'],
		['help', 'help'],
		['settings', 'go.contexts'],
		['log out', 'go.contexts'],
	],
	namespaces: [
		['create ns', 'namespaces.new'],
		['flushdb', 'keys.select-all'],
		['dbsize', 'namespaces.stats'],
		['diff staging prod', 'keys.compare'],
		['dump', 'keys.export'],
		['top', 'metrics.open'],
		['mv', 'namespaces.rename'],
		['new namespace', 'namespaces.new'],
		['how big is this', 'namespaces.stats'],
		['backup', 'keys.export'],
		['clone to', 'keys.copy-to'],
		['reads per day', 'metrics.open'],
		['rename', 'namespaces.rename'],
		['where is customer data', 'namespaces.filter', 'namespaces.where'],
		['how big', 'namespaces.stats'],
		['slow', 'metrics.open'],
	],
	keys: [
		['scan user:*', 'keys.filter'],
		['grep timeout', 'keys.search-values'],
		['set foo bar', 'edit.new', 'edit.value'],
		['get session:42', 'keys.filter', 'keys.open'],
		['del', 'edit.delete'],
		['remove key', 'edit.delete'],
		['delete everything under a prefix', 'keys.delete-below'],
		['change ttl', 'edit.expiry'],
		['duplicate', 'rename.duplicate'],
		['cp prod', 'keys.copy-to'],
		['bigkeys', 'keys.stats'],
		['undo', 'edit.undo'],
		['no ttl', 'edit.expiry', 'keys.sort'],
		['find text', 'keys.search-values'],
		['starts with user:', 'keys.filter'],
		['add key', 'edit.new'],
		['upload csv', 'keys.bulk'],
		['delete all selected', 'keys.delete-selected'],
		['undelete', 'trash.undo', 'trash.open'],
		['expiring soon', 'keys.sort'],
		['refesh', 'reload'],
		['search email inside', 'keys.search-values'],
		['deleted by mistake', 'trash.undo', 'trash.open'],
	],
	key: [
		['ttl', 'edit.expiry'],
		['expire 3600', 'edit.expiry'],
		['persist', 'edit.expiry'],
		['edit', 'edit.value'],
		['yank', 'key.copy', 'key.copy-all'],
		['meta', 'edit.metadata'],
		['ttl 1 hour', 'edit.expiry'],
		['never expire', 'edit.expiry'],
		['copy value', 'key.copy-all'],
		['pretty print json', 'key.form'],
		['change tags', 'edit.metadata'],
		['when it expires', 'edit.expiry'],
	],
	firewall: [
		['panic', 'firewall.emergency', 'go.emergency'],
		['ban ip', 'firewall.emergency'],
		['block ip', 'firewall.emergency'],
		['unblock customer', 'firewall.events', 'firewall.pause'],
		['block country', 'firewall.new-rule', 'firewall.emergency'],
		['allow office ip', 'firewall.new-rule'],
		['panic off', 'firewall.pause'],
		['turn off panic mode', 'firewall.pause'],
		['why is this guy blocked', 'firewall.events', 'go.events'],
	],
	customRules: [
		['disable', 'custom.pause'],
		['apply -f', 'custom.merge'],
		['new rule', 'custom.new'],
		['switch off rule', 'custom.pause'],
		['only log not block', 'custom.edit'],
		['move to top', 'custom.move'],
		['limit login tries', 'custom.rate-limits'],
		['captcha instead', 'custom.edit'],
		['put back like before', 'custom.undo', 'custom.versions'],
		['disable rule', 'custom.pause'],
		['move up', 'custom.move'],
	],
	managed: [
		['managed rules', 'go.managed'],
		['owasp', 'managed.edit-owasp'],
		['migrate', 'go.migration'],
		['false positive', 'managed.edit-exception'],
		['owasp less strict', 'managed.edit-owasp'],
		['search sql injection', 'managed.browse'],
		['skip rule for this url', 'managed.edit-exception'],
		['upgrade old waf', 'go.migration'],
		['owasp sensitivity', 'managed.edit-owasp'],
	],
	events: [
		['tail -f', 'reload'],
		['why 403', 'events.rule'],
		['why blocked', 'events.rule'],
		['only last 30 min', 'events.range'],
		['top attackers', 'events.next'],
		['find ray id', 'events.filter'],
		['ban this guy', 'events.emergency'],
		['last 24h blocked', 'events.range'],
		['whitelist this', 'events.exception'],
	],
	zones: [
		['find shop site', 'zones.filter'],
		['under attack mode', 'go.emergency'],
		['open waf', 'zones.open', 'go.firewall'],
		['which sites have most blocks', 'zones.order'],
		['find domain', 'zones.filter'],
	],
	jobs: [
		['kill', 'jobs.cancel', 'bulk.cancel', 'transfer.cancel'],
		['kill it', 'jobs.cancel', 'bulk.cancel', 'transfer.cancel'],
	],
};

async function openScreen(name: string): Promise<TestStore> {
	const testStore = createTestStore();
	const {state, signal} = testStore;
	await state().connection.loadConnection();
	switch (name) {
		case 'namespaces':
			await state().namespaces.load('remote', signal);
			state().navigation.go('namespaces');
			return testStore;
		case 'keys':
		case 'key': {
			await testStore.openNamespace('CONFIG');
			state().navigation.go('keys');
			await testStore.until(({keys: {data: keys}}) => (keys?.rows.count ?? 0) > 0);
			if (name === 'keys') return testStore;
			dispatch(createTestApp(testStore), {name: 'enter', text: '', sequence: ''});
			await testStore.until(({key: {data: key}}) => key?.reading === 'read');
			return testStore;
		}
		case 'firewall':
			await openShopFirewall(testStore);
			state().navigation.go('firewall');
			return testStore;
		case 'customRules':
			await openMigratedCustomRules(testStore);
			return testStore;
		case 'managed':
			return (await atManaged(testStore)).testStore;
		case 'events':
			state().events.open(migratedSampleZone);
			await state().events.load(signal);
			state().navigation.go('events');
			return testStore;
		case 'zones':
			await state().zones.load(signal);
			state().navigation.go('zones');
			return testStore;
		case 'jobs':
			state().navigation.go('jobs');
			return testStore;
		default:
			return testStore;
	}
}

test.each(Object.keys(wishes))('on %s, the first row is what was meant', async name => {
	const {state} = await openScreen(name);
	const missed = (wishes[name] ?? []).flatMap(([query, ...meant]) => {
		const found = listPaletteActions(actions, state(), query)
			.slice(0, 4)
			.map(({action: {id}}) => id);
		return meant.includes(found[0] ?? '')
			? []
			: [`${query}: ${found.join(' ')} (meant ${meant.join(' or ')})`];
	});
	expect(missed).toEqual([]);
});
