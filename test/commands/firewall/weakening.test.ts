import {describe, expect, onTestFinished, test} from 'vitest';
import {type FirewallInProcess, startFirewallInProcess} from '../../support/firewall-in-process.ts';
import {
	createScratchFolder,
	createVirtualClock,
	type EndedRun,
	ledge,
	type RunOptions,
} from '../../support/run.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';

const expression = 'ip.src eq 192.0.2.1';
const getThroughText = 'Requests that were stopped get through immediately, unless another rule stops them.';

type PreparedCommand = {
	readonly run: (more: readonly string[], options?: RunOptions) => Promise<EndedRun>;
	/** Number of writes: since the last call for firewall rules, since the preparation for custom rules. */
	readonly countWrites: () => number;
};

async function prepareFirewallCommand(
	getWords: (firewall: FirewallInProcess) => Promise<readonly string[]>,
): Promise<PreparedCommand> {
	const firewall = await startFirewallInProcess('enterprise');
	const words = await getWords(firewall);
	return {
		run: (more, options) => firewall.run([...words, ...more], options),
		countWrites: () => firewall.takeWrites().length,
	};
}

/** Creates a zone with one custom rule, and prepares `rules WORD ID …`. */
async function prepareCustomRuleCommand(
	customRule: object,
	word: string,
	more: readonly string[],
): Promise<PreparedCommand> {
	const service = await serveSimulator({samples: false});
	onTestFinished(() => service.stop());
	const zone = '9e4c0b3f7d6a4f2b8c5e1d2c3b4a5f85';
	const response = await service.simulator.fetch(
		new Request(
			`http://simulated.invalid/client/v4/zones/${zone}/rulesets/phases/http_request_firewall_custom/entrypoint`,
			{
				method: 'PUT',
				headers: {Authorization: 'Bearer simulated', 'Content-Type': 'application/json'},
				body: JSON.stringify({rules: [{expression, ...customRule}]}),
			},
		),
	);
	const {result} = (await response.json()) as {result: {rules: readonly {id: string}[]}};
	const runOptions = {cwd: createScratchFolder(), clock: createVirtualClock(), env: service.env};
	const writesBefore = service.writes().length;
	const words = ['rules', word, result.rules[0]?.id ?? '', ...more, '--zone-id', zone];
	return {
		run: (options, moreOptions) => ledge([...words, ...options], {...runOptions, ...moreOptions}),
		countWrites: () => service.writes().length - writesBefore,
	};
}

const prepareRuleCommand =
	(ruleSettings: object, word: string, ...more: readonly string[]) =>
	() =>
		prepareFirewallCommand(async firewall => [
			'rule',
			word,
			await firewall.addRule(await firewall.addFilter(expression), {description: 'Bots', ...ruleSettings}),
			...more,
		]);

const prepareMoveToPausedFilter = () =>
	prepareFirewallCommand(async firewall => {
		const paused = await firewall.addFilter('ip.src eq 192.0.2.2', {paused: true});
		return [
			'rule',
			'update',
			await firewall.addRule(await firewall.addFilter(expression)),
			'--filter-id',
			paused,
		];
	});

const wafBypass = {action: 'bypass', products: ['waf']};
const wafSkip = {action: 'skip', action_parameters: {products: ['waf']}};

const weakeningChanges: Record<string, [() => Promise<PreparedCommand>, string]> = {
	'firewall rule pause': [prepareRuleCommand({}, 'pause'), `Pause rule "Bots" (block, `],
	'firewall rule pause of one that lets through': [
		prepareRuleCommand({action: 'allow'}, 'pause'),
		'Requests that were let through are checked again immediately.',
	],
	'firewall rule update to paused': [
		prepareRuleCommand({action: 'challenge'}, 'update', '--paused'),
		getThroughText,
	],
	'firewall rule update to a paused filter': [prepareMoveToPausedFilter, getThroughText],
	'block to log': [prepareRuleCommand({}, 'update', '--action', 'log'), ') to log in '],
	'block to allow': [
		prepareRuleCommand({}, 'update', '--action', 'allow'),
		'Matching requests get through immediately, past all later rules.',
	],
	'a challenge to bypass': [
		prepareRuleCommand({action: 'js_challenge'}, 'update', '--action', 'bypass', '--products', 'waf'),
		'Matching requests skip that protection immediately.',
	],
	'log to allow': [prepareRuleCommand({action: 'log'}, 'update', '--action', 'allow'), ') to allow in '],
	'block to log, with another expression': [
		prepareRuleCommand({}, 'update', '--expression', 'ip.src eq 192.0.2.3', '--action', 'log'),
		') to log in ',
	],
	'paused block to allow in force': [
		prepareRuleCommand({paused: true}, 'update', '--action', 'allow', '--no-paused'),
		') to allow in ',
	],
	'bypass of more': [
		prepareRuleCommand(wafBypass, 'update', '--products', 'waf,bic'),
		' also bypass bic in ',
	],
	'firewall filter update to paused': [
		() =>
			prepareFirewallCommand(async firewall => {
				const filter = await firewall.addFilter(expression);
				await firewall.addRule(filter);
				return ['filter', 'update', filter, '--paused'];
			}),
		getThroughText,
	],
	'rules pause': [
		() => prepareCustomRuleCommand({action: 'block', description: 'Bots'}, 'pause', []),
		'Pause rule "Bots" (block, ',
	],
	'rules update to skip': [
		() => prepareCustomRuleCommand({action: 'block'}, 'update', ['--action', 'skip', '--skip', 'waf']),
		') to skip in ',
	],
	'rules update to skip more': [
		() => prepareCustomRuleCommand(wafSkip, 'update', ['--skip', 'waf,bic']),
		' also skip bic in ',
	],
};

describe.each(Object.entries(weakeningChanges))('%s', (_what, [prepare, expectedText]) => {
	test('is refused without a terminal, and done with --yes', async () => {
		const command = await prepare();
		command.countWrites();
		const refused = await command.run([]);
		expect(refused.code, refused.stderr).toBe(2);
		expect(refused.stderr).toContain('Not confirmed, so nothing was sent.');
		expect(refused.stderr).toContain(expectedText);
		expect(command.countWrites()).toBe(0);
		expect(refused.stderr).toMatch(/ledge (firewall|rules) .* --yes$/m);
		expect((await command.run(['--yes'])).code).toBe(0);
		expect(command.countWrites()).toBeGreaterThan(0);
	});

	test('asks on a terminal, and sends nothing without a yes', async () => {
		const command = await prepare();
		command.countWrites();
		const declined = await command.run([], {tty: true, input: 'n\n'});
		expect(declined.code).toBe(1);
		expect(declined.stderr).toContain(expectedText);
		expect(command.countWrites()).toBe(0);
		const agreed = await command.run([], {tty: true, input: 'y\n'});
		expect(agreed.code, agreed.stderr).toBe(0);
		expect(agreed.stderr.match(/\[y\/N\]/g)).toHaveLength(1);
		expect(command.countWrites()).toBeGreaterThan(0);
	});

	test('asks nothing in a dry run', async () => {
		const command = await prepare();
		command.countWrites();
		expect((await command.run(['--dry-run'])).code).toBe(0);
		expect(command.countWrites()).toBe(0);
	});
});

test('the printed command runs as printed', async () => {
	const firewall = await startFirewallInProcess('enterprise');
	const id = await firewall.addRule(await firewall.addFilter(expression));
	const {stderr} = await firewall.run([
		'rule',
		'update',
		id,
		'--action',
		'log',
		'--description',
		"it's ours",
	]);
	expect(await firewall.runPrinted(stderr)).toMatchObject({code: 0});
	expect(await firewall.rules()).toMatchObject([{action: 'log', description: "it's ours"}]);
});

test('the command that continues an interrupted change runs as printed', async () => {
	const firewall = await startFirewallInProcess('enterprise');
	const id = await firewall.addRule(await firewall.addFilter(expression));
	const words = ['rule', 'update', id, '--expression', 'ip.src eq 192.0.2.3', '--action', 'log', '--yes'];
	await firewall.service.setFaults('method=PUT path=/firewall/rules status=429');
	const {code, stderr} = await firewall.run(words);
	expect(code).toBe(1);
	await firewall.service.setFaults('');
	expect(await firewall.runPrinted(stderr)).toMatchObject({code: 0});
	expect(await firewall.rules()).toMatchObject([{action: 'log'}]);
});

describe('no confirmation is needed', () => {
	test.each<[string, () => Promise<PreparedCommand>]>([
		['a rule that only logs is paused', prepareRuleCommand({action: 'log'}, 'pause')],
		['a paused rule is paused', prepareRuleCommand({paused: true}, 'pause')],
		['a paused rule is resumed', prepareRuleCommand({paused: true}, 'resume')],
		[
			'a rule that is allowed is blocked',
			prepareRuleCommand({action: 'allow'}, 'update', '--action', 'block'),
		],
		['a block becomes a challenge', prepareRuleCommand({}, 'update', '--action', 'managed_challenge')],
		['a paused rule is to allow', prepareRuleCommand({paused: true}, 'update', '--action', 'allow')],
		[
			'a bypass leaves out less',
			prepareRuleCommand({...wafBypass, products: ['waf', 'bic']}, 'update', '--products', 'waf'),
		],
		['only the description changes', prepareRuleCommand({}, 'update', '--description', 'other')],
		[
			'a custom rule is resumed',
			() => prepareCustomRuleCommand({action: 'block', enabled: false}, 'resume', []),
		],
		[
			'a custom rule challenges',
			() => prepareCustomRuleCommand({action: 'block'}, 'update', ['--action', 'js_challenge']),
		],
	])('when %s', async (_what, prepare) => {
		const {code, stderr} = await (await prepare()).run([]);
		expect(code, stderr).toBe(0);
	});
});

test('several rules share one confirmation', async () => {
	const firewall = await startFirewallInProcess();
	const ids = [
		await firewall.addRule(await firewall.addFilter(expression)),
		await firewall.addRule(await firewall.addFilter('ssl')),
	];
	const {stderr} = await firewall.run(['rule', 'pause', ...ids]);
	expect(stderr).toMatch(new RegExp(`Pause rules .*${ids[0]}.*, .*${ids[1]}.* in `));
	expect((await firewall.run(['rule', 'pause', ...ids, '--yes'])).code).toBe(0);
});
