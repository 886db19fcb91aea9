import {describe, expect, test} from 'vitest';
import {type Ended, ledge, scratch} from '../support/run.ts';
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
/** A command, and whether the rules show what it does. */
type Side = {readonly words: readonly string[]; readonly isDone: (rules: Rules) => boolean};

const made = (name: string): Side => ({
	words: ['rules', 'create', '--expression', `http.host eq "${name}"`, '--action', 'block'],
	isDone: ({custom}) => custom.some(({expression}) => expression === `http.host eq "${name}"`),
});
const paused = (...ids: readonly (string | undefined)[]): Side => ({
	words: ['rules', 'pause', ...ids.map(String), '--yes'],
	isDone: ({custom}) => ids.every(id => custom.find(rule => rule.id === id)?.enabled === false),
});
const edited = (part: RegExp, ...words: readonly string[]): Side => ({
	words: ['managed', 'edit', ...words],
	isDone: ({managed}) => part.test(JSON.stringify(managed)),
});

const pairs: Readonly<Record<string, readonly [Side, Side, zone?: typeof migrated]>> = {
	'two rules': [made('one'), made('two')],
	'the first rule of a zone, twice': [made('one'), made('two'), plain],
	'a rule, and several paused': [made('one'), paused(office, admin)],
	'several paused, and several others': [paused(office, admin), paused(admin, scrapers)],
	'a rule deleted, and the same one paused': [
		{
			words: ['rules', 'delete', `${admin}`, '--yes'],
			isDone: ({custom}) => custom.every(({id}) => id !== admin),
		},
		paused(admin),
	],
	'two settings of one managed ruleset': [
		edited(/"score_threshold":25/, '--threshold', '25'),
		edited(/paranoia-level-2/, '--paranoia', '1'),
	],
	'several managed rulesets each': [
		edited(/"score_threshold":25/, '--threshold', '25', '--deploy', 'credentials'),
		edited(/"score_threshold":60/, '--threshold', '60', '--off', 'platform'),
	],
};

async function rulesIn({url}: ServedSimulator, {id}: typeof migrated): Promise<Rules> {
	const of = async (phase: string): Promise<readonly Rule[]> => {
		const path = `/zones/${id}/rulesets/phases/http_request_firewall_${phase}/entrypoint`;
		const answer = await fetch(`${url}${path}`, {headers: {Authorization: 'Bearer simulated'}});
		return ((await answer.json()) as {result: {rules: Rule[]} | null}).result?.rules ?? [];
	};
	return {custom: await of('custom'), managed: await of('managed')};
}

/** Runs both; the first `held` writes that arrive wait for each other: both sides have then looked for the last time. */
async function both(sides: readonly [Side, Side], zone: typeof migrated, held: 0 | 2) {
	const service = await serveSimulator();
	const pass = service.simulator.fetch.bind(service.simulator);
	let waiting = 0;
	let release = () => {};
	const all = new Promise<void>(done => {
		release = done;
	});
	service.simulator.fetch = async request => {
		if (request.method !== 'GET' && held > 0) {
			if (++waiting === held) release();
			await all;
		}
		return pass(request);
	};
	const ended = await Promise.all(
		sides.map(({words}) =>
			ledge([...words, '--zone', zone.name, ...(words[0] === 'managed' ? ['--confirm', zone.name] : [])], {
				env: service.env,
				cwd: scratch(),
			}),
		),
	);
	return {ended, rules: await rulesIn(service, zone), writes: service.writes()};
}

const tells = ({stderr}: Ended): boolean => /Someone else (?:has )?changed these rules/.test(stderr);

describe.each(Object.entries(pairs))('%s', (_name, [one, other, zone = migrated]) => {
	test.each([
		['between the last look and the write', 2],
		['at once', 0],
	] as const)('%s: both succeed, or a failure is reported', async (_when, held) => {
		const {ended, rules, writes} = await both([one, other], zone, held);
		const said = ended.map(({code, stderr}) => `exit ${code}\n${stderr}`).join('\n');
		expect(writes.length, said).toBeLessThanOrEqual(2);
		expect(
			[one, other].some(({isDone}) => isDone(rules)),
			said,
		).toBe(true);
		for (const [at, side] of [one, other].entries()) {
			const isTold = ended[at]?.code !== 0 || ended.some(tells);
			expect(side.isDone(rules) || isTold, said).toBe(true);
			if (ended[at]?.code !== 0) expect(ended[at]?.stderr, said).toMatch(/Nothing was (?:changed|sent)/);
		}
	});
});
