import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, expect, test} from 'vitest';
import {createTextKey} from '../../source/keyboard/key.ts';
import {minReviewMs} from '../../source/screens/write-flow/review-timer.ts';
import {createTestStore, type TestStore} from '../screens/support/store.ts';
import {freshExpression, setUpFirewallService, zoneIds} from '../support/firewall.ts';
import {createScratchFolder} from '../support/ledge.ts';

const service = setUpFirewallService();
let testStore: TestStore;
let expression: string;

beforeEach(() => {
	const envFile = join(createScratchFolder(), 'token.env');
	writeFileSync(envFile, 'CLOUDFLARE_API_TOKEN=simulated\n');
	testStore = createTestStore({baseUrl: service.url, envFile: [envFile]});
	expression = freshExpression();
});

const zone = {id: zoneIds.enterprise, name: 'acme.example', plan: 'enterprise', label: 'acme'} as const;

const readAuditLines = () =>
	readFileSync(join(testStore.folder, 'state/audit.ndjson'), 'utf8')
		.trim()
		.split('\n')
		.map(line => JSON.parse(line))
		.map(({what, result}) => [what, result]);

/** Goes through the wizard until it sends a rule. */
async function sendRule(): Promise<void> {
	const {state} = testStore;
	state().firewall.open(zone);
	await state().firewall.load(testStore.signal);
	state().wizard.begin({kind: 'new rule'});
	state().navigation.go('wizard');
	for (const character of expression) state().wizard.type(createTextKey(character));
	state().wizard.goToNextStep();
	state().wizard.chooseAction('block');
	state().wizard.goToNextStep();
	testStore.advanceClock(minReviewMs);
	await state().wizard.send();
}

test('a rule from the wizard has an audit line for its filter and one for itself, each with its ID', async () => {
	await sendRule();
	const [rule] = await service.rulesOf(expression);
	expect(readAuditLines()).toEqual([
		[`create filter ${rule?.filter.id}`, 'done'],
		[`create rule ${rule?.id}`, 'done'],
	]);
});

test('a rejected rule from the wizard leaves the audit line of its filter', async () => {
	await service.withFaults('status=429 method=POST path=/firewall/rules', sendRule);
	expect(readAuditLines()).toEqual([
		[`create filter ${(await service.filterOf(expression))?.id}`, 'done'],
		['create rule (block)', 'rate_limited'],
	]);
});

test('a deletion from the list has an audit line for the rule and one for the filter', async () => {
	const filter = await service.addFilter(expression);
	const id = await service.addRule(filter);
	const {state} = testStore;
	state().firewall.open(zone);
	await state().firewall.load(testStore.signal);
	const rule = state().firewall.data?.rules.find(one => one.id === id);
	if (!rule) throw new Error('The rule is not listed.');
	await service.withFaults('status=500 method=DELETE path=/filters', async () => {
		await expect(state().firewall.deleteRules([rule], [rule], testStore.signal)).rejects.toThrow();
	});
	expect(readAuditLines()).toEqual([
		[`delete rule ${id}`, 'done'],
		[`delete filter ${filter}`, 'service_failed'],
	]);
});
