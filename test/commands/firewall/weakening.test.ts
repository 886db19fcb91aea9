import {describe, expect, onTestFinished, test} from 'vitest';
import {type FirewallInProcess, firewallInProcess} from '../../support/firewall-in-process.ts';
import {type Ended, ledge, type RunOptions, scratch, virtualClock} from '../../support/run.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';

const expression = 'ip.src eq 192.0.2.1';
const through = 'Requests that were stopped get through immediately, unless another rule stops them.';

type Prepared = {
	readonly run: (more: readonly string[], options?: RunOptions) => Promise<Ended>;
	readonly writes: () => number;
};

async function firewall(begin: (at: FirewallInProcess) => Promise<readonly string[]>): Promise<Prepared> {
	const at = await firewallInProcess('enterprise');
	const words = await begin(at);
	return {
		run: (more, options) => at.run([...words, ...more], options),
		writes: () => at.writes().length,
	};
}

/** A zone with one custom rule, and `rules WORD ID …`. */
async function custom(rule: object, word: string, more: readonly string[]): Promise<Prepared> {
	const service = await serveSimulator({samples: false});
	onTestFinished(() => service.stop());
	const zone = '9e4c0b3f7d6a4f2b8c5e1d2c3b4a5f85';
	const answer = await service.simulator.fetch(
		new Request(
			`http://simulated.invalid/client/v4/zones/${zone}/rulesets/phases/http_request_firewall_custom/entrypoint`,
			{
				method: 'PUT',
				headers: {Authorization: 'Bearer simulated', 'Content-Type': 'application/json'},
				body: JSON.stringify({rules: [{expression, ...rule}]}),
			},
		),
	);
	const {result} = (await answer.json()) as {result: {rules: readonly {id: string}[]}};
	const how = {cwd: scratch(), clock: virtualClock(), env: service.env};
	const begun = service.writes().length;
	const words = ['rules', word, result.rules[0]?.id ?? '', ...more, '--zone-id', zone];
	return {
		run: (options, given) => ledge([...words, ...options], {...how, ...given}),
		writes: () => service.writes().length - begun,
	};
}

const rule =
	(made: object, word: string, ...more: readonly string[]) =>
	() =>
		firewall(async at => [
			'rule',
			word,
			await at.addRule(await at.addFilter(expression), {description: 'Bots', ...made}),
			...more,
		]);

const onPausedFilter = () =>
	firewall(async at => {
		const paused = await at.addFilter('ip.src eq 192.0.2.2', {paused: true});
		return ['rule', 'update', await at.addRule(await at.addFilter(expression)), '--filter-id', paused];
	});

const waf = {action: 'bypass', products: ['waf']};
const skipping = {action: 'skip', action_parameters: {products: ['waf']}};

const weakening: Record<string, [() => Promise<Prepared>, string]> = {
	'firewall rule pause': [rule({}, 'pause'), `Pause rule "Bots" (block, `],
	'firewall rule pause of one that lets through': [
		rule({action: 'allow'}, 'pause'),
		'Requests that were let through are checked again immediately.',
	],
	'firewall rule update to paused': [rule({action: 'challenge'}, 'update', '--paused'), through],
	'firewall rule update to a paused filter': [onPausedFilter, through],
	'block to log': [rule({}, 'update', '--action', 'log'), ') to log in '],
	'block to allow': [
		rule({}, 'update', '--action', 'allow'),
		'Matching requests get through immediately, past all later rules.',
	],
	'a challenge to bypass': [
		rule({action: 'js_challenge'}, 'update', '--action', 'bypass', '--products', 'waf'),
		'Matching requests skip that protection immediately.',
	],
	'log to allow': [rule({action: 'log'}, 'update', '--action', 'allow'), ') to allow in '],
	'block to log, with another expression': [
		rule({}, 'update', '--expression', 'ip.src eq 192.0.2.3', '--action', 'log'),
		') to log in ',
	],
	'paused block to allow in force': [
		rule({paused: true}, 'update', '--action', 'allow', '--no-paused'),
		') to allow in ',
	],
	'bypass of more': [rule(waf, 'update', '--products', 'waf,bic'), ' also bypass bic in '],
	'firewall filter update to paused': [
		() =>
			firewall(async at => {
				const filter = await at.addFilter(expression);
				await at.addRule(filter);
				return ['filter', 'update', filter, '--paused'];
			}),
		through,
	],
	'rules pause': [
		() => custom({action: 'block', description: 'Bots'}, 'pause', []),
		'Pause rule "Bots" (block, ',
	],
	'rules update to skip': [
		() => custom({action: 'block'}, 'update', ['--action', 'skip', '--skip', 'waf']),
		') to skip in ',
	],
	'rules update to skip more': [
		() => custom(skipping, 'update', ['--skip', 'waf,bic']),
		' also skip bic in ',
	],
};

describe.each(Object.entries(weakening))('%s', (_what, [prepare, says]) => {
	test('is refused without a terminal, and done with --yes', async () => {
		const at = await prepare();
		at.writes();
		const refused = await at.run([]);
		expect(refused.code, refused.stderr).toBe(2);
		expect(refused.stderr).toContain('Not confirmed, so nothing was sent.');
		expect(refused.stderr).toContain(says);
		expect(at.writes()).toBe(0);
		expect(refused.stderr).toMatch(/ledge (firewall|rules) .* --yes$/m);
		expect((await at.run(['--yes'])).code).toBe(0);
		expect(at.writes()).toBeGreaterThan(0);
	});

	test('asks on a terminal, and sends nothing without a yes', async () => {
		const at = await prepare();
		at.writes();
		const declined = await at.run([], {tty: true, input: 'n\n'});
		expect(declined.code).toBe(1);
		expect(declined.stderr).toContain(says);
		expect(at.writes()).toBe(0);
		const agreed = await at.run([], {tty: true, input: 'y\n'});
		expect(agreed.code, agreed.stderr).toBe(0);
		expect(agreed.stderr.match(/\[y\/N\]/g)).toHaveLength(1);
		expect(at.writes()).toBeGreaterThan(0);
	});

	test('asks nothing in a dry run', async () => {
		const at = await prepare();
		at.writes();
		expect((await at.run(['--dry-run'])).code).toBe(0);
		expect(at.writes()).toBe(0);
	});
});

test('the printed command runs as printed', async () => {
	const at = await firewallInProcess('enterprise');
	const id = await at.addRule(await at.addFilter(expression));
	const {stderr} = await at.run(['rule', 'update', id, '--action', 'log', '--description', "it's ours"]);
	expect(await at.runPrinted(stderr)).toMatchObject({code: 0});
	expect(await at.rules()).toMatchObject([{action: 'log', description: "it's ours"}]);
});

test('the command that continues an interrupted change runs as printed', async () => {
	const at = await firewallInProcess('enterprise');
	const id = await at.addRule(await at.addFilter(expression));
	const words = ['rule', 'update', id, '--expression', 'ip.src eq 192.0.2.3', '--action', 'log', '--yes'];
	await at.service.setFaults('method=PUT path=/firewall/rules status=429');
	const {code, stderr} = await at.run(words);
	expect(code).toBe(1);
	await at.service.setFaults('');
	expect(await at.runPrinted(stderr)).toMatchObject({code: 0});
	expect(await at.rules()).toMatchObject([{action: 'log'}]);
});

describe('no confirmation is needed', () => {
	test.each<[string, () => Promise<Prepared>]>([
		['a rule that only logs is paused', rule({action: 'log'}, 'pause')],
		['a paused rule is paused', rule({paused: true}, 'pause')],
		['a paused rule is resumed', rule({paused: true}, 'resume')],
		['a rule that is allowed is blocked', rule({action: 'allow'}, 'update', '--action', 'block')],
		['a block becomes a challenge', rule({}, 'update', '--action', 'managed_challenge')],
		['a paused rule is to allow', rule({paused: true}, 'update', '--action', 'allow')],
		['a bypass leaves out less', rule({...waf, products: ['waf', 'bic']}, 'update', '--products', 'waf')],
		['only the description changes', rule({}, 'update', '--description', 'other')],
		['a custom rule is resumed', () => custom({action: 'block', enabled: false}, 'resume', [])],
		['a custom rule challenges', () => custom({action: 'block'}, 'update', ['--action', 'js_challenge'])],
	])('when %s', async (_what, prepare) => {
		const {code, stderr} = await (await prepare()).run([]);
		expect(code, stderr).toBe(0);
	});
});

test('several rules share one confirmation', async () => {
	const at = await firewallInProcess();
	const ids = [await at.addRule(await at.addFilter(expression)), await at.addRule(await at.addFilter('ssl'))];
	const {stderr} = await at.run(['rule', 'pause', ...ids]);
	expect(stderr).toMatch(new RegExp(`Pause rules .*${ids[0]}.*, .*${ids[1]}.* in `));
	expect((await at.run(['rule', 'pause', ...ids, '--yes'])).code).toBe(0);
});
