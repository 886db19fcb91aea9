import {expect, test} from 'vitest';
import {migrated, type PhaseName, phases, startRulesTest} from './support.ts';

/** Rules that someone else adds, one per phase. */
const foreignRules: Readonly<Record<PhaseName, object>> = {
	custom: {action: 'block', expression: 'http.host eq "foreign.example"'},
	limits: {
		action: 'block',
		expression: 'http.request.uri.path eq "/foreign"',
		ratelimit: {characteristics: ['ip.src', 'cf.colo.id'], period: 60, requests_per_period: 7},
	},
	managed: {
		action: 'skip',
		expression: 'http.host eq "foreign.example"',
		action_parameters: {ruleset: 'current'},
	},
};
const foreignPattern = /foreign/;

/**
 * Runs a command on a changed file, while someone else adds a rule to a phase right before request `position`.
 */
async function runWithInterference(words: readonly string[], phase: PhaseName, position: number) {
	const rulesTest = await startRulesTest();
	const {stdout: exported} = await rulesTest.run(['export']);
	rulesTest.write(
		'rules.yaml',
		exported
			.replace('contains "scrapy"', 'contains "crawl"')
			.replace('custom_rules:', 'custom_rules:\n  - action: block\n    expression: ssl')
			.replace('requests_per_period: 20', 'requests_per_period: 10')
			.replace('requests_per_period: 50', 'requests_per_period: 5')
			.replace('score_threshold: 40', 'score_threshold: 25')
			.replace(
				'managed_rules:',
				'managed_rules:\n  - action: skip\n    expression: http.host eq "new.example"\n    action_parameters: {ruleset: current}',
			),
	);
	rulesTest.takeRequests();
	let requestBefore = '';
	rulesTest.setHook(async (index, request) => {
		if (index !== position) return undefined;
		requestBefore = `${request.method} ${new URL(request.url).pathname}`;
		await rulesTest.putRules(phase, [...(await rulesTest.readRules(phase)), foreignRules[phase]]);
		return undefined;
	});
	const run = await rulesTest.run(words);
	rulesTest.setHook(undefined);
	const requests = rulesTest.takeRequests();
	const isKept = foreignPattern.test(JSON.stringify(await rulesTest.readRules(phase)));
	return {run, requests, requestBefore, isKept, rulesTest};
}

const apply = ['apply', 'rules.yaml', '--confirm', migrated.name];

test.each(
	Object.keys(phases) as PhaseName[],
)('a rule that someone else adds to the %s rules between any two calls of an apply is never lost silently', async phase => {
	const {requests, run: undisturbed} = await runWithInterference(apply, phase, -1);
	expect(undisturbed.code, undisturbed.stderr).toBe(0);
	expect(requests.filter(request => !request.startsWith('GET'))).toHaveLength(3);
	const seen = {stopped: 0, overwritten: 0};
	for (let position = 0; position < requests.length; position++) {
		const {
			run,
			isKept,
			requests: sent,
			requestBefore,
			rulesTest,
		} = await runWithInterference(apply, phase, position);
		const text = `position ${position}, before ${requestBefore}\n${run.stderr}`;
		const writes = sent.filter(request => !request.startsWith('GET'));
		expect(new Set(writes).size, text).toBe(writes.length);
		// Either it is still there, or what is printed names it: as deleted in the plan, or as overwritten.
		expect(isKept || foreignPattern.test(run.stderr), text).toBe(true);
		if (!isKept && run.stderr.includes('has overwritten')) {
			seen.overwritten++;
			expect(requestBefore, text).toMatch(/^(PUT|PATCH|POST) /);
			const [, command = ''] = /To restore it: (.*)/.exec(run.stderr) ?? [];
			expect(await rulesTest.runPrinted(command), command).toMatchObject({code: 0});
			expect(JSON.stringify(await rulesTest.readRules(phase))).toMatch(foreignPattern);
		}
		if (run.code !== 0) {
			seen.stopped++;
			expect(run.stderr, text).toContain(`Someone else changed`);
			// A phase that was changed by someone else is not sent.
			expect(isKept, text).toBe(true);
			expect(run.stderr, text).toMatch(/ledge rules diff rules\.yaml/);
		}
	}
	expect(seen.stopped).toBeGreaterThan(0);
	expect(seen.overwritten).toBeGreaterThan(0);
}, 120_000);

test('a diff is of one of the two states, whenever someone else changes the rules', async () => {
	const diff = ['diff', 'rules.yaml', '--json'];
	const {requests} = await runWithInterference(diff, 'custom', -1);
	const shown = new Set<string>();
	for (let position = 0; position <= requests.length; position++) {
		const {run, requests: sent} = await runWithInterference(diff, 'custom', position);
		expect(run.code).toBe(0);
		expect(sent.every(request => request.startsWith('GET'))).toBe(true);
		const {phases: plans} = JSON.parse(run.stdout) as {
			phases: {version: string; changes: {kind: string}[]}[];
		};
		const deletes = plans[0]?.changes.some(({kind}) => kind === 'deleted');
		expect(plans[0]?.version).toBe(deletes ? '3' : '2');
		shown.add(String(deletes));
	}
	expect(shown.size).toBe(2);
});
