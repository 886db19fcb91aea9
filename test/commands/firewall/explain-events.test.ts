import {expect, onTestFinished, test} from 'vitest';
import {createScratchFolder, createVirtualClock, ledge} from '../../support/run.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';

const noon = Date.UTC(2026, 10, 23, 12);

/** Serves the sample zones at noon of a working day, with functions that run `firewall` commands. */
async function serveSampleZones() {
	const clock = createVirtualClock(noon);
	const service = await serveSimulator({now: clock.now});
	onTestFinished(() => service.stop());
	const run = (words: readonly string[], zone = 'done.acme.example') =>
		ledge(['firewall', ...words, '--zone', zone], {
			cwd: createScratchFolder(),
			clock,
			env: service.env,
		});
	const json = async (...words: readonly string[]) => {
		const {code, stdout, stderr} = await run([...words, '--json']);
		expect(code, stderr).toBe(0);
		return JSON.parse(stdout);
	};
	const queries = () => service.simulator.calls.list().filter(({path}) => path.endsWith('/graphql'));
	return {service, run, json, queries};
}

test('counts the events that an expression matches, with their most frequent values', async () => {
	const {json, run, service} = await serveSampleZones();
	const {events} = await json('events', '--since', '1h', '--limit', '1000');
	const posts = events.filter(({method}: {method: string}) => method === 'POST');
	expect(posts.length).toBeGreaterThan(0);
	const counts = Object.groupBy(posts, ({path}: {path: string}) => path);
	const explained = await json('explain', 'http.request.method eq "POST"', '--events', '1h');
	expect(explained).toMatchObject({valid: true, plan: 'pro'});
	expect(explained.events).toMatchObject({
		zone: {name: 'done.acme.example'},
		since: '2026-11-23T11:00:00Z',
		until: '2026-11-23T12:00:00Z',
		clipped: false,
		more: false,
		total: events.length,
		matched: posts.length,
		undecided: 0,
		unknown: {fields: [], operations: []},
		missing: [],
	});
	for (const {value, count} of explained.events.top.paths) expect(count).toBe(counts[value]?.length);
	const [{value, count}] = explained.events.top.paths;
	const {stdout, stderr} = await run(['explain', 'http.request.method eq "POST"', '--events', '1h']);
	expect(stderr).toBe('');
	expect(stdout).toContain(
		`Security events:\n  Matches ${posts.length} of the last ${events.length} security events (1 h, sampled).\n  Paths: ${value} (${count}), `,
	);
	expect(stdout).toContain('of requests that a rule acted on, not of all traffic.\n');
	expect(service.writes()).toEqual([]);
});

test('names the fields, lists and functions without which events are undecided', async () => {
	const {run, json} = await serveSampleZones();
	const expression =
		'http.request.method eq "POST" and (http.cookie contains "a" or ip.src in $office or not http.referer contains "b")';
	const posts = await json('explain', 'http.request.method eq "POST"', '--events', '1h');
	const {events} = await json('explain', expression, '--events', '1h');
	expect(events).toMatchObject({
		matched: 0,
		undecided: posts.events.matched,
		unknown: {fields: ['http.cookie', 'http.referer'], operations: ['$office']},
	});
	expect((await run(['explain', expression, '--events', '1h'])).stdout).toContain(
		`  ${events.undecided} can't be decided: events do not include http.cookie, http.referer; ledge does not evaluate $office.\n`,
	);
});

test('reads at most 1,000 events, and says so', async () => {
	const {run} = await serveSampleZones();
	const {stdout} = await run(['explain', 'ip.src.country eq "DE"', '--events', '24h']);
	expect(stdout).toMatch(/Matches \d+ of the last 1,000 security events \(\d+ h, sampled; more exist\)\./);
});

test('reads no events for an invalid expression', async () => {
	const {run, queries} = await serveSampleZones();
	const {code, stdout} = await run(['explain', 'http.host eq', '--events', '24h', '--json']);
	expect({code, events: JSON.parse(stdout).events}).toEqual({code: 1, events: null});
	expect(queries()).toEqual([]);
});

test.each([
	['analytics=not-authorized', 4, 'require the permission Zone Analytics: Read'],
	['analytics=budget-depleted', 1, 'Try again in 5 minutes'],
	['lacks-dataset=firewallEventsAdaptive', 3, 'are not available from this service'],
	['html=502 path=graphql', 1, 'could not be loaded'],
])('fails if events cannot be read: %s', async (faults, code, sentence) => {
	const {run, service} = await serveSampleZones();
	await service.setFaults(faults);
	const ended = await run(['explain', 'not ssl', '--events', '24h']);
	expect(ended).toMatchObject({code, stdout: '', stderr: expect.stringContaining(sentence)});
});

test('fails on a plan without single events', async () => {
	const {run} = await serveSampleZones();
	const ended = await run(['explain', 'not ssl', '--events', '24h'], 'acme-blog.example');
	expect(ended.code).toBe(5);
	expect(ended.stderr).toContain('Individual security events are not included in this plan.');
});

test.each([
	['soon', 'takes a duration'],
	['2026-11-23 13:00', 'must start before it ends'],
])('refuses --events %s', async (time, sentence) => {
	const {run, queries} = await serveSampleZones();
	const ended = await run(['explain', 'ssl', '--events', time]);
	expect(ended).toMatchObject({code: 2, stderr: expect.stringContaining(sentence)});
	expect(queries()).toEqual([]);
});
