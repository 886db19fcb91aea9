import {expect, test} from 'vitest';
import {acme, createMigratingPerson} from '../support/migration-store.ts';

test('data that the service refuses to return is not counted as none', async () => {
	const person = await createMigratingPerson(acme);
	person.testStore.simulator.faults.replace('method=GET path=firewall/waf/overrides status=403');
	await person.choose('read');
	expect(person.migration().eligibility?.counts).toMatchObject({
		overrides: undefined,
		firewallRules: expect.any(Number),
	});
});

test('an unknown state is reported with the text of the status', async () => {
	const person = await createMigratingPerson(acme);
	person.testStore.simulator.faults.replace('path=waf_migration/status stage=elsewhere');
	await person.choose('read');
	const [stage] = person.migration().eligibility?.blockers.filter(({kind}) => kind === 'stage') ?? [];
	expect(stage?.sentence).toContain('The status reports: state "elsewhere"');
});
