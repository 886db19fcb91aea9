import {describe, expect, test} from 'vitest';
import {createScratchFolder, type EndedRun, ledge} from '../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../support/serve-simulator.ts';

const migrated = {id: '7b3a9d2e6c5f4e1a8d7b0c1d2e3f4a74', name: 'done.acme.example'};
const plain = {id: '9e4c0b3f7d6a4f2b8c5e1d2c3b4a5f85', name: 'plain.acme.example'};
const [office, admin, , scrapers] = ['01', '02', '03', '04'].map(
	last => `5f1c7a0e9b3d4c28a6e4d0b7f2913c${last}`,
);

type Rule = {
	readonly id: string;
	readonly expression: string;
	readonly enabled: boolean;
	readonly action_parameters?: unknown;
};
type Rules = {readonly custom: readonly Rule[]; readonly managed: readonly Rule[]};
/** A command; `isDone`: the rules show its effect. */
type Side = {readonly words: readonly string[]; readonly isDone: (rules: Rules) => boolean};

const buildCreation = (name: string): Side => ({
	words: ['rules', 'create', '--expression', `http.host eq "${name}"`, '--action', 'block'],
	isDone: ({custom}) => custom.some(({expression}) => expression === `http.host eq "${name}"`),
});
const buildPause = (...ids: readonly (string | undefined)[]): Side => ({
	words: ['rules', 'pause', ...ids.map(String), '--yes'],
	isDone: ({custom}) => ids.every(id => custom.find(rule => rule.id === id)?.enabled === false),
});
const buildEdit = (part: RegExp, ...words: readonly string[]): Side => ({
	words: ['managed', 'edit', ...words],
	isDone: ({managed}) => part.test(JSON.stringify(managed)),
});

const pairs: Readonly<Record<string, readonly [Side, Side, zone?: typeof migrated]>> = {
	'two rules': [buildCreation('one'), buildCreation('two')],
	'the first rule of a zone, twice': [buildCreation('one'), buildCreation('two'), plain],
	'a rule, and several paused': [buildCreation('one'), buildPause(office, admin)],
	'several paused, and several others': [buildPause(office, admin), buildPause(admin, scrapers)],
	'a rule deleted, and the same one paused': [
		{
			words: ['rules', 'delete', `${admin}`, '--yes'],
			isDone: ({custom}) => custom.every(({id}) => id !== admin),
		},
		buildPause(admin),
	],
	'two settings of one managed ruleset': [
		buildEdit(/"score_threshold":25/, '--threshold', '25'),
		buildEdit(/paranoia-level-2/, '--paranoia', '1'),
	],
	'several managed rulesets each': [
		buildEdit(/"score_threshold":25/, '--threshold', '25', '--deploy', 'credentials'),
		buildEdit(/"score_threshold":60/, '--threshold', '60', '--off', 'platform'),
	],
};

async function readRules({url}: ServedSimulator, {id}: typeof migrated): Promise<Rules> {
	const readPhase = async (phase: string): Promise<readonly Rule[]> => {
		const path = `/zones/${id}/rulesets/phases/http_request_firewall_${phase}/entrypoint`;
		const response = await fetch(`${url}${path}`, {headers: {Authorization: 'Bearer simulated'}});
		return ((await response.json()) as {result: {rules: Rule[]} | null}).result?.rules ?? [];
	};
	return {custom: await readPhase('custom'), managed: await readPhase('managed')};
}

/** Runs both. The first `heldCount` writes wait for each other, after the last reads of both sides. */
async function runBoth(sides: readonly [Side, Side], zone: typeof migrated, heldCount: 0 | 2) {
	const service = await serveSimulator();
	const originalFetch = service.simulator.fetch.bind(service.simulator);
	let waitingCount = 0;
	let release = () => {};
	const allWaiting = new Promise<void>(done => {
		release = done;
	});
	service.simulator.fetch = async request => {
		if (request.method !== 'GET' && heldCount > 0) {
			if (++waitingCount === heldCount) release();
			await allWaiting;
		}
		return originalFetch(request);
	};
	const ended = await Promise.all(
		sides.map(({words}) =>
			ledge([...words, '--zone', zone.name, ...(words[0] === 'managed' ? ['--confirm', zone.name] : [])], {
				env: service.env,
				cwd: createScratchFolder(),
			}),
		),
	);
	return {ended, rules: await readRules(service, zone), writes: service.writes()};
}

const reportsConcurrentChange = ({stderr}: EndedRun): boolean =>
	/Someone else (?:has )?changed these rules/.test(stderr);

describe.each(Object.entries(pairs))('%s', (_name, [one, other, zone = migrated]) => {
	test.each([
		['between the last read and the write', 2],
		['at once', 0],
	] as const)('%s: both succeed, or a failure is reported', async (_when, heldCount) => {
		const {ended, rules, writes} = await runBoth([one, other], zone, heldCount);
		const output = ended.map(({code, stderr}) => `exit ${code}\n${stderr}`).join('\n');
		expect(writes.length, output).toBeLessThanOrEqual(2);
		expect(
			[one, other].some(({isDone}) => isDone(rules)),
			output,
		).toBe(true);
		for (const [index, side] of [one, other].entries()) {
			const isReported = ended[index]?.code !== 0 || ended.some(reportsConcurrentChange);
			expect(side.isDone(rules) || isReported, output).toBe(true);
			if (ended[index]?.code !== 0)
				expect(ended[index]?.stderr, output).toMatch(/Nothing was (?:changed|sent)/);
		}
	});
});
