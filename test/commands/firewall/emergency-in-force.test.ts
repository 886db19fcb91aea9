import {describe, expect, test} from 'vitest';
import {type FirewallInProcess, startFirewallInProcess} from '../../support/firewall-in-process.ts';
import {ledge} from '../../support/run.ts';

/** Adds a rule "Office", which allows unless `more` has another action. */
const addOfficeRule = (firewall: FirewallInProcess, expression: string, more: object = {}) =>
	firewall
		.addFilter(expression)
		.then(filter => firewall.addRule(filter, {action: 'allow', description: 'Office', ...more}));

describe('a block after an allow rule', () => {
	test('is reported as having no effect, naming the allow rule and its traffic', async () => {
		const firewall = await startFirewallInProcess();
		const id = await addOfficeRule(firewall, 'ip.src in {198.51.100.0/24}');
		const {code, stderr} = await firewall.run(['emergency', '198.51.100.7']);
		expect(code).toBe(0);
		expect(stderr).toMatch(/^Created, but has no effect: rule /m);
		expect(stderr).not.toMatch(/^(Active|Already active)\b/m);
		expect(stderr).toContain(
			`Rule ${id} (allow, "Office") runs first and lets all of these requests through.`,
		);
	});

	test('is reported before the zone name is asked for, and nothing is sent', async () => {
		const firewall = await startFirewallInProcess();
		const id = await addOfficeRule(firewall, 'http.request.uri.path contains "/wp-"');
		const {code, stderr} = await firewall.run(['emergency', '/wp-login.php']);
		expect(code).toBe(2);
		expect(stderr).toMatch(new RegExp(`Rule ${id} .*runs first.*--confirm`, 's'));
		expect((await firewall.rules()).map(rule => rule.id)).toEqual([id]);
	});

	test('is moved to the front by the printed command', async () => {
		const firewall = await startFirewallInProcess();
		await addOfficeRule(firewall, 'ip.src in {198.51.100.0/24}', {priority: 7});
		const {stderr} = await firewall.run(['emergency', '198.51.100.7']);
		const printed = /To run it first: (.*)/.exec(stderr)?.[1] ?? '';
		expect((await firewall.runPrinted(printed)).code).toBe(0);
		const again = await firewall.run(['emergency', '198.51.100.7', '--priority', '6']);
		expect(again.stderr).toMatch(/^Already active: rule /m);
	});

	test('is partly active if only some traffic is allowed', async () => {
		const firewall = await startFirewallInProcess();
		const id = await addOfficeRule(firewall, 'ip.src in {198.51.100.9 203.0.113.1}');
		const {stderr} = await firewall.run(['emergency', '198.51.100.0/24', '203.0.113.1', '192.0.2.1']);
		expect(stderr).toMatch(/^Active, but not for all requests: rule /m);
		expect(stderr).toContain(
			`Rule ${id} (allow, "Office") runs first and lets 198.51.100.9, 203.0.113.1 through.`,
		);
	});

	test('has no effect if two rules together allow all its traffic', async () => {
		const firewall = await startFirewallInProcess();
		await addOfficeRule(firewall, 'ip.src eq 198.51.100.7');
		await addOfficeRule(firewall, 'ip.src eq 198.51.100.8');
		const {stderr} = await firewall.run(['emergency', '198.51.100.7', '198.51.100.8']);
		expect(stderr).toMatch(/^Created, but has no effect: /m);
	});

	test('may miss some requests if ledge cannot tell', async () => {
		const firewall = await startFirewallInProcess();
		const id = await addOfficeRule(firewall, 'ip.src.country eq "DE"');
		const {stderr} = await firewall.run(['emergency', '198.51.100.7']);
		expect(stderr).toMatch(/^Active, but may miss some requests: /m);
		expect(stderr).toContain(
			`Rule ${id} (allow, "Office") runs first and may let some of these requests through: ip.src.country`,
		);
	});

	test('is reported in the same way if it already exists', async () => {
		const firewall = await startFirewallInProcess();
		await firewall.run(['emergency', '198.51.100.7']);
		const id = await addOfficeRule(firewall, 'ip.src in {198.51.100.0/24}', {priority: 3});
		const {code, stderr} = await firewall.run(['emergency', '198.51.100.7']);
		expect(code).toBe(0);
		expect(stderr).toMatch(/^Already exists, but has no effect: rule .* Nothing was created\.$/m);
		expect(stderr).toContain(`Rule ${id} (allow, "Office") runs first`);
		expect(stderr).not.toMatch(/already (partly )?(active|blocked)/i);
	});

	test('may miss some requests if the order of rules without priorities is unknown', async () => {
		const firewall = await startFirewallInProcess();
		await firewall.run(['emergency', '198.51.100.7']);
		const id = await addOfficeRule(firewall, 'ip.src in {198.51.100.0/24}');
		const {stderr} = await firewall.run(['emergency', '198.51.100.7']);
		expect(stderr).toMatch(/^Already active, but may miss some requests: rule /m);
		expect(stderr).toContain(
			`Rule ${id} (allow, "Office") may run first and let all of these requests through.`,
		);
	});

	test('is active if only other requests are allowed', async () => {
		const firewall = await startFirewallInProcess();
		await addOfficeRule(firewall, 'ip.src in {192.0.2.0/24}');
		await addOfficeRule(firewall, 'ip.src in {198.51.100.0/24}', {paused: true});
		await addOfficeRule(firewall, 'ip.src in {198.51.100.0/25}', {action: 'bypass', products: ['waf']});
		const {stderr} = await firewall.run(['emergency', '198.51.100.7']);
		expect(stderr).toMatch(/^Active: rule /m);
		expect(stderr).not.toContain('runs first');
		expect(stderr).toMatch(/^Not checked: IP access rules that let requests through\.$/m);
	});

	test('goes before the allow rule with --first', async () => {
		const firewall = await startFirewallInProcess();
		await addOfficeRule(firewall, 'ip.src in {198.51.100.0/24}', {priority: 4});
		const {stderr} = await firewall.run(['emergency', '198.51.100.7', '--first']);
		expect(stderr).toMatch(/^Active: rule /m);
	});

	test('is reported in --json, also if the rules are unknown', async () => {
		const firewall = await startFirewallInProcess();
		const id = await addOfficeRule(firewall, 'ip.src eq 198.51.100.9');
		const partlyActive = await firewall.run(['emergency', '198.51.100.0/24', '--json']);
		expect(JSON.parse(partlyActive.stdout)).toMatchObject([
			{
				inForce: 'part',
				earlierRules: [
					{form: 'firewall rule', id, action: 'allow', effect: 'lets through', addresses: ['198.51.100.9']},
				],
			},
		]);
		await firewall.service.setFaults('method=GET path=/firewall/rules status=403');
		const unknown = await firewall.run(['emergency', '192.0.2.7', '--json']);
		expect(JSON.parse(unknown.stdout)).toMatchObject([{inForce: 'unknown', earlierRules: null}]);
		const uncheckedRun = await firewall.run(['emergency', '192.0.2.8']);
		expect(uncheckedRun.stderr).toContain(
			'Not checked: earlier rules and IP access rules that let requests through.',
		);
	});
});

test('a custom rule after a skip rule is not reported as active', async () => {
	const firewall = await startFirewallInProcess();
	expect((await firewall.run(['emergency', '198.51.100.7', '--custom-rule', '--yes'])).stderr).toMatch(
		/^Active: custom rule /m,
	);
	const skip = ['rules', 'create', '--expression', 'ip.src in {198.51.100.0/24}', '--action', 'skip'];
	const created = await ledge(
		[
			...skip,
			'--skip',
			'remaining',
			'--first',
			'--confirm',
			firewall.zone.name,
			'--zone-id',
			firewall.zone.id,
			'--yes',
		],
		{env: firewall.service.env},
	);
	expect(created.code, created.stderr).toBe(0);
	const {stderr} = await firewall.run(['emergency', '198.51.100.7', '--custom-rule', '--yes']);
	expect(stderr).toMatch(/^Already exists, but has no effect: custom rule /m);
	expect(stderr).toMatch(/^Custom rule \S+ \(skip\) runs first and lets all of these requests through\.$/m);
	expect(stderr).toMatch(/^To run it first: ledge rules move /m);
});

test('creating an ordinary or a custom rule warns about the rules before it', async () => {
	const firewall = await startFirewallInProcess();
	const id = await addOfficeRule(firewall, 'ip.src in {198.51.100.0/24}');
	const block = ['create', '--expression', 'ip.src eq 198.51.100.7', '--action', 'block'];
	const created = await firewall.run(['rule', ...block]);
	expect(created.code).toBe(0);
	expect(created.stderr).toContain(
		`Rule ${id} (allow, "Office") runs first and lets all of these requests through.`,
	);
	const runRules = (words: readonly string[]) =>
		ledge(['rules', ...words, '--zone-id', firewall.zone.id, '--yes'], {env: firewall.service.env});
	const skip = ['create', '--expression', 'ip.src in {198.51.100.0/24}', '--action', 'skip'];
	expect((await runRules([...skip, '--skip', 'remaining', '--confirm', firewall.zone.name])).code).toBe(0);
	expect((await runRules(block)).stderr).toMatch(
		/Custom rule \S+ \(skip\) runs first and lets all of these requests through\./,
	);
});
