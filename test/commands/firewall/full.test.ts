import {expect, test} from 'vitest';
import {startFirewallInProcess} from '../../support/firewall-in-process.ts';

const block = ['emergency', '--expression', 'ip.src eq 192.0.2.99'];

/** A zone of the Free plan with its five rules, of which one may be paused. */
async function createFullZone({paused = false} = {}) {
	const firewall = await startFirewallInProcess('free');
	const ids: string[] = [];
	for (let number = 0; number < 5; number++)
		ids.push(
			await firewall.addRule(await firewall.addFilter(`http.request.uri.path eq "/${number}"`), {
				paused: paused && number === 3,
			}),
		);
	return {...firewall, ids};
}

test('an emergency in a full zone is refused, and nothing is sent', async () => {
	const {run, takeWrites, filters} = await createFullZone();
	const refused = await run(block);
	expect(refused.code).toBe(5);
	expect(refused.stderr).toContain("the zone can't have another firewall rule");
	expect(refused.stderr).toContain('Nothing was sent.');
	expect(takeWrites()).toEqual([]);
	expect(await filters()).toHaveLength(5);
});

test('the first way out is a custom rule, with a working command', async () => {
	const {run, runPrinted, rules, takeWrites} = await createFullZone();
	const {stderr} = await run(block);
	const printed = /ledge firewall emergency .*--custom-rule.*/.exec(stderr)?.[0] ?? '';
	const shown = await runPrinted(printed);
	expect(shown.code).toBe(2);
	expect(shown.stderr).toContain('"expression": "ip.src eq 192.0.2.99"');
	expect(takeWrites()).toEqual([]);
	expect((await runPrinted(`${printed} --yes`)).code).toBe(0);
	expect(takeWrites()).toMatchObject([{method: 'POST', path: expect.stringContaining('/rulesets')}]);
	expect(await rules()).toHaveLength(5);
});

test('the second way out is to delete an idle rule, with a working command', async () => {
	const {run, runPrinted, rules, ids} = await createFullZone({paused: true});
	const printed = /ledge firewall rule delete .*/.exec((await run(block)).stderr)?.[0] ?? '';
	expect(printed).toContain(ids[3]);
	expect((await runPrinted(`${printed} --yes`)).code).toBe(0);
	expect(await rules()).toHaveLength(4);
});

test('without an idle rule, the second way out is the list of rules', async () => {
	const {run, runPrinted} = await createFullZone();
	const printed = /ledge firewall rule list .*/.exec((await run(block)).stderr)?.[0] ?? '';
	expect((await runPrinted(printed)).code).toBe(0);
});

test('the rule is sent with a note if the existing rules cannot be counted', async () => {
	const {run, service, rules} = await startFirewallInProcess('pro');
	await service.setFaults('method=GET path=/firewall/rules status=403');
	const sent = await run(block);
	expect(sent.code).toBe(0);
	expect(sent.stderr).toContain('could not be counted');
	expect(await rules()).toHaveLength(1);
});
