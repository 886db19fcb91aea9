import {expect, test} from 'vitest';
import type {SeenRule} from '../../support/firewall.ts';
import {firewallInProcess} from '../../support/firewall-in-process.ts';

const block = ['emergency', '--expression', 'ip.src eq 192.0.2.99'];

/** A zone of the Free plan with its five rules, of which one may be paused. */
async function fullZone({paused = false} = {}) {
	const at = await firewallInProcess('free');
	const ids: string[] = [];
	for (let number = 0; number < 5; number++)
		ids.push(
			await at.addRule(await at.addFilter(`http.request.uri.path eq "/${number}"`), {
				paused: paused && number === 3,
			}),
		);
	return {...at, ids};
}

test('an emergency in a zone that is full sends nothing, and names the ways out', async () => {
	const {run, writes, filters} = await fullZone();
	const full = await run(block);
	expect(full.code).toBe(5);
	expect(full.stderr).toContain('cannot have one more firewall rule');
	expect(full.stderr).toContain('Nothing was sent.');
	expect(writes()).toEqual([]);
	expect(await filters()).toHaveLength(5);
});

test('the first way out is a custom rule, which works as it is printed', async () => {
	const {run, runPrinted, rules, writes} = await fullZone();
	const {stderr} = await run(block);
	const printed = /ledge firewall emergency .*--custom-rule.*/.exec(stderr)?.[0] ?? '';
	const shown = await runPrinted(printed);
	expect(shown.code).toBe(2);
	expect(shown.stderr).toContain('"expression": "ip.src eq 192.0.2.99"');
	expect(writes()).toEqual([]);
	expect((await runPrinted(`${printed} --yes`)).code).toBe(0);
	expect(writes()).toMatchObject([{method: 'POST', path: expect.stringContaining('/rulesets')}]);
	expect(await rules()).toHaveLength(5);
});

test('the first way out is the place of a paused rule, which works as it is printed, and is undone', async () => {
	const {run, runPrinted, rules, filters, writes, ids} = await fullZone({paused: true});
	const before = {rules: await rules(), filters: await filters()};
	const {stderr} = await run(block);
	const printed = /ledge firewall emergency .*--replace.*/.exec(stderr)?.[0] ?? '';
	expect(printed).toContain(`--replace ${ids[3]}`);
	const done = await runPrinted(printed);
	expect(done.code).toBe(0);
	expect(done.stderr).toContain('If the second call fails, neither rule exists');
	expect(writes().map(({method}) => method)).toEqual(['DELETE', 'POST']);
	expect(await rules()).toHaveLength(5);
	const undoing = [...done.stderr.matchAll(/(?:undo|And then): (.*)/g)].map(([, command]) => command ?? '');
	expect(undoing).toHaveLength(2);
	for (const command of undoing) expect((await runPrinted(`${command} --yes`)).code).toBe(0);
	const withoutIds = (all: readonly SeenRule[]) =>
		all
			.toSorted((one, other) => one.filter.expression.localeCompare(other.filter.expression))
			.map(({id, ...one}) => one);
	expect(withoutIds(await rules())).toEqual(withoutIds(before.rules));
	expect(await filters()).toEqual(before.filters);
});

test('an address has a block rule of addresses as its first way out, which works as it is printed', async () => {
	const at = await firewallInProcess('free');
	for (let number = 0; number < 4; number++)
		await at.addRule(await at.addFilter(`http.request.uri.path eq "/${number}"`));
	const id = await at.addRule(await at.addFilter('ip.src eq 192.0.2.1'), {description: 'Bad ones'});
	const {code, stderr} = await at.run(['emergency', '192.0.2.2', '192.0.2.1']);
	expect(code).toBe(5);
	expect(stderr).toContain(`Add it to firewall rule ${id} (block, "Bad ones")`);
	const done = await at.runPrinted(stderr);
	expect(done.code).toBe(0);
	expect(done.stderr).toContain(`Already blocked by rule ${id}: 192.0.2.1.`);
	expect((await at.rules()).find(rule => rule.id === id)?.filter.expression).toBe(
		'ip.src in {192.0.2.1 192.0.2.2}',
	);
});

test('where no rule is idle, the list of rules is the second way out', async () => {
	const {run, runPrinted} = await fullZone();
	const printed = /ledge firewall rule list .*/.exec((await run(block)).stderr)?.[0] ?? '';
	expect((await runPrinted(printed)).code).toBe(0);
});

test('where the rules cannot be counted it goes out, and says so', async () => {
	const {run, service, rules} = await firewallInProcess('pro');
	await service.setFaults('method=GET path=/firewall/rules status=403');
	const sent = await run(block);
	expect(sent.code).toBe(0);
	expect(sent.stderr).toContain('could not be counted');
	expect(await rules()).toHaveLength(1);
});
