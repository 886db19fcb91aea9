import {describe, expect, test} from 'vitest';
import {errorOf} from '../../support/firewall.ts';
import {startFirewallInProcess} from '../../support/firewall-in-process.ts';

const matchAllExpression = 'ip.src in {198.51.100.0/24} and http.request.uri.path eq "/wp-login.php"';
const matchAnyExpression = 'ip.src in {198.51.100.0/24} or http.request.uri.path eq "/wp-login.php"';
const targets = ['198.51.100.0/24', '/wp-login.php'];

describe('an address and a path', () => {
	test.each([
		[[]],
		[['--yes']],
		[['--dry-run']],
		[['--custom-rule', '--yes']],
	])('are refused without --match, and nothing is sent: %j', async more => {
		const {run, takeWrites} = await startFirewallInProcess();
		const ended = await run(['emergency', ...targets, ...more]);
		expect(ended).toMatchObject({code: 2, stdout: ''});
		expect(ended.stderr).toContain(`all: ${matchAllExpression}`);
		expect(ended.stderr).toContain(`any: ${matchAnyExpression}`);
		expect(ended.stderr).toContain('Nothing was sent.');
		expect(takeWrites()).toEqual([]);
	});

	test.each([
		['all', matchAllExpression, ['--action', 'managed_challenge', '--description', "the bots' way"]],
		['any', matchAnyExpression, []],
	])('are turned into the right rule by the printed command for %s', async (match, expression, settings) => {
		const firewall = await startFirewallInProcess();
		const {stderr} = await firewall.run(['emergency', ...targets, ...settings]);
		const printed = new RegExp(`ledge firewall emergency .*--match ${match}.*`).exec(stderr)?.[0] ?? '';
		expect((await firewall.runPrinted(printed)).code).toBe(0);
		expect(await firewall.rules()).toMatchObject([
			{action: settings[1] ?? 'block', ...(settings[3] && {description: settings[3]}), filter: {expression}},
		]);
	});

	test('from standard input are printed as expressions, as the input cannot be read twice', async () => {
		const firewall = await startFirewallInProcess();
		const {code, stderr} = await firewall.run(['emergency', '--file', '-'], {input: targets.join('\n')});
		expect(code).toBe(2);
		const printed = /everywhere.*: (ledge .*)/.exec(stderr)?.[1] ?? '';
		expect((await firewall.runPrinted(printed)).code).toBe(0);
		expect(await firewall.rules()).toMatchObject([{filter: {expression: matchAnyExpression}}]);
	});

	test('cannot both be added to a rule, whatever --match says', async () => {
		const firewall = await startFirewallInProcess();
		const id = await firewall.addRule(await firewall.addFilter('ip.src eq 192.0.2.1'));
		for (const more of [[], ['--match', 'any'], ['--match', 'all']])
			expect((await firewall.run(['emergency', ...targets, '--add-to', id, ...more])).code).toBe(2);
		expect(firewall.takeWrites()).toEqual([]);
	});

	test('are refused with both commands in --json', async () => {
		const {run} = await startFirewallInProcess();
		const error = errorOf(await run(['emergency', ...targets, '--json']));
		expect(String(error.next).match(/ledge firewall emergency/g)).toHaveLength(2);
	});
});

describe('--match', () => {
	test.each([
		[['198.51.100.7', '--match', 'all']],
		[['/a', '/b', '--match', 'all']],
		[['198.51.100.7', '--match', 'some']],
		[['--expression', 'ip.src eq 198.51.100.7', '--match', 'any']],
	])('is refused if it has no effect: %j', async words => {
		const {run, takeWrites} = await startFirewallInProcess();
		expect((await run(['emergency', ...words])).code).toBe(2);
		expect(takeWrites()).toEqual([]);
	});

	test('any is allowed with targets of a single kind', async () => {
		const {run} = await startFirewallInProcess();
		expect((await run(['emergency', '198.51.100.7', '--match', 'any'])).code).toBe(0);
	});
});

describe('a block that affects ordinary visitors', () => {
	const blocks: readonly (readonly string[])[] = [
		['/wp-login.php'],
		['country:XX'],
		['asn:64500'],
		['0.0.0.0/1'],
		['::/3'],
		['country:XX', '/a', '--match', 'all'],
		[...targets, '--match', 'any'],
		['--expression', 'http.host eq "shop.example"'],
		['--expression', 'http.user_agent contains "bot"'],
		['/wp-login.php', '--custom-rule'],
	];

	test.each(blocks.map(words => [words]))('needs the zone name; --yes is not enough: %j', async words => {
		const {run, takeWrites, zone} = await startFirewallInProcess();
		const refused = await run(['emergency', ...words, '--yes']);
		expect(refused).toMatchObject({code: 2, stdout: ''});
		expect(refused.stderr).toContain(`This rule also blocks ordinary visitors of ${zone.name}`);
		expect((await run(['emergency', ...words, '--yes', '--confirm', 'other.example'])).code).toBe(2);
		expect(takeWrites()).toEqual([]);
		expect((await run(['emergency', ...words, '--yes', '--confirm', zone.name])).code).toBe(0);
		expect(takeWrites()).toHaveLength(1);
	});

	test.each([
		[['198.51.100.7']],
		[['10.0.0.0/8']],
		[[...targets, '--match', 'all']],
		[['/login', '--action', 'managed_challenge']],
		[['/login', '--paused']],
		[['--expression', 'ip.src eq 198.51.100.7 and http.host eq "shop.example"']],
	])('is not assumed, and nothing is asked: %j', async words => {
		const {run} = await startFirewallInProcess();
		expect((await run(['emergency', ...words])).code).toBe(0);
	});

	test('in a full zone is printed with the --confirm it needs', async () => {
		const firewall = await startFirewallInProcess('free');
		for (let number = 0; number < 5; number++)
			await firewall.addRule(await firewall.addFilter(`http.request.uri.path eq "/${number}"`), {
				paused: number === 2,
			});
		const {code, stderr} = await firewall.run(['emergency', '/a', '--confirm', firewall.zone.name]);
		expect(code).toBe(5);
		const printed = /ledge firewall emergency .*--custom-rule.*/.exec(stderr)?.[0] ?? '';
		expect(printed).toContain(`--confirm ${firewall.zone.name}`);
		expect((await firewall.runPrinted(`${printed} --yes`)).code).toBe(0);
	});
});
