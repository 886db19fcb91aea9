import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createSimulator, type Simulator} from '../../../source/simulator/simulator.ts';
import {buildRawResponse, type Reply, startFaultyLine} from '../../support/faulty-line.ts';
import {isSampled} from '../../support/full.ts';
import {createScratchFolder, createVirtualClock, ledge} from '../../support/run.ts';
import {migrated, phases} from './support.ts';

const json = {'content-type': 'application/json', 'cf-ray': '7d-TST'};
const buildRefusal = (status: number, code: number): Reply => ({
	bytes: buildRawResponse(
		status,
		JSON.stringify({success: false, errors: [{code, message: 'no'}], messages: [], result: null}),
		json,
	),
	ends: 'keep',
});

/** Answers that prove that nothing was changed. */
const refusals: Readonly<Record<string, Reply>> = {
	'400': buildRefusal(400, 20217),
	'403 without the permission': buildRefusal(403, 9109),
	'404': buildRefusal(404, 10003),
	'429': buildRefusal(429, 971),
};

/** Answers that prove nothing. */
const damages: Readonly<Record<string, Reply>> = {
	'500': buildRefusal(500, 1),
	'502 with a page': {
		bytes: buildRawResponse(502, '<html></html>', {'content-type': 'text/html'}),
		ends: 'keep',
	},
	'an empty answer': {bytes: buildRawResponse(200, '', json), ends: 'keep'},
	'a cut connection': 'reset',
};

type When = 'before the effect' | 'after the effect';

const readActiveRules = async (simulator: Simulator, phase: string): Promise<string> => {
	const path = `http://simulated.invalid/client/v4/zones/${migrated.id}/rulesets/phases/${phase}/entrypoint`;
	const response = await simulator.fetch(new Request(path, {headers: {Authorization: 'Bearer simulated'}}));
	const {result} = (await response.json()) as {result: {rules: readonly object[]}};
	return JSON.stringify(result.rules, (key, value) =>
		key === 'last_updated' || key === 'version' ? undefined : value,
	);
};

const nouns = {custom: 'custom rules', limits: 'rate limits', managed: 'managed rules'} as const;

/** Applies a file that changes all phases, over a line that answers call `index` with this reply. */
async function applyWithFault(
	index: number,
	reply?: Reply,
	when: When = 'before the effect',
	faultCount = 1,
) {
	using simulator = createSimulator({rateLimit: false});
	await using line = await startFaultyLine(simulator);
	const cwd = createScratchFolder();
	const run = (words: readonly string[]) =>
		ledge(['rules', ...words, '--zone', migrated.name], {
			env: {...line.env, CLOUDFLARE_API_TOKEN: 'simulated', LEDGE_STATE_DIR: join(cwd, 'state')},
			cwd,
			clock: createVirtualClock(),
		});
	const {stdout} = await run(['export']);
	writeFileSync(
		join(cwd, 'rules.yaml'),
		stdout
			.replace('contains "scrapy"', 'contains "crawl"')
			.replace('requests_per_period: 20', 'requests_per_period: 10')
			.replace('score_threshold: 40', 'score_threshold: 25'),
	);
	const readAll = () => Promise.all(Object.values(phases).map(phase => readActiveRules(simulator, phase)));
	const before = await readAll();
	let seenCount = 0;
	line.setFault(reply && {matches: () => seenCount++ >= index, when, reply, times: faultCount});
	const {code, stderr} = await run(['apply', 'rules.yaml', '--confirm', migrated.name]);
	const arrived = line.arrived().map(({method, path}) => `${method} ${path}`);
	const after = await readAll();
	line.setFault(undefined);
	const again = await run(['apply', 'rules.yaml', '--confirm', migrated.name]);
	return {
		code,
		stderr,
		arrived,
		again,
		/** The phases that were changed. */
		changed: Object.values(nouns).filter((_, place) => before[place] !== after[place]),
		isComplete: (await run(['diff', 'rules.yaml', '--exit-code'])).code === 0,
	};
}

const isWrite = (request: string) => !request.startsWith('GET ');

/** Checks that what is printed is what happened, that nothing was sent twice, and that a second run completes it. */
function expectTruth(
	{code, stderr, arrived, changed, again, isComplete}: Awaited<ReturnType<typeof applyWithFault>>,
	label: string,
): void {
	const text = `${label}\nexit ${code}\n${stderr}`;
	const writes = arrived.filter(isWrite);
	expect(new Set(writes).size, text).toBe(writes.length);
	for (const noun of Object.values(nouns)) {
		const isChanged = changed.includes(noun);
		if (stderr.includes(`Applied ${noun}:`)) expect(isChanged, text).toBe(true);
		if (new RegExp(`${noun}: (not applied|not sent)`).test(stderr)) expect(isChanged, text).toBe(false);
		if (isChanged) expect(stderr, text).toMatch(new RegExp(`Applied ${noun}:|${noun}: unknown`));
	}
	if (code === 0) expect(changed, text).toHaveLength(3);
	else if (stderr.includes(': left out.')) expect(changed, text).toHaveLength(2);
	else if (changed.length > 0 || writes.length > 0) {
		expect(stderr, text).toMatch(/To continue: ledge rules apply rules\.yaml/);
		for (const noun of changed)
			if (stderr.includes(`Applied ${noun}:`))
				expect(stderr, text).toContain(`To restore the ${noun}: ledge `);
	}
	expect(again.code, `${text}\nagain: ${again.stderr}`).toBe(0);
	expect(isComplete, text).toBe(true);
}

describe('rules apply', async () => {
	const {arrived, code} = await applyWithFault(-1);
	const calls = arrived.map((request, index) => ({request, index}));

	test('sends three writes on an undisturbed line', () => {
		expect(code).toBe(0);
		expect(arrived.filter(isWrite)).toHaveLength(3);
	});

	for (const {request, index} of calls) {
		for (const [place, [name, reply]] of Object.entries({...refusals, ...damages}).entries())
			test.runIf(isWrite(request) || isSampled(index + place))(
				`call ${index} answered by ${name} before the effect: says what happened`,
				async () => expectTruth(await applyWithFault(index, reply), request),
			);
		if (!isWrite(request)) continue;
		for (const [name, reply] of Object.entries(damages))
			test(`call ${index} answered by ${name} after the effect: says what happened`, async () =>
				expectTruth(await applyWithFault(index, reply, 'after the effect'), request));
		test(`call ${index} and all after it cut: says that the outcome is unknown`, async () => {
			const outcome = await applyWithFault(index, 'reset', 'after the effect', 1_000);
			expect(outcome.code).toBeGreaterThan(0);
			expect(outcome.stderr).toMatch(/: unknown\. The change may have taken effect\./);
			expectTruth(outcome, request);
		});
	}
});
