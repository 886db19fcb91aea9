import {readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {createScratchFolder, ledge} from '../../support/run.ts';

const secret = 'token-of-debug-log';

async function runAndReadLog(
	words: readonly string[],
	faults = '',
): Promise<{text: string; events: Record<string, unknown>[]}> {
	const cwd = createScratchFolder();
	const env = {
		LEDGE_DEBUG: 'ledge.log',
		LEDGE_SIMULATE_FAULTS: faults,
		LEDGE_TIME_SCALE: '0.001',
		CLOUDFLARE_API_TOKEN: secret,
	};
	await ledge(words, {cwd, env});
	expect(statSync(join(cwd, 'ledge.log')).mode & 0o777).toBe(0o600);
	const text = readFileSync(join(cwd, 'ledge.log'), 'utf8');
	return {
		text,
		events: text
			.trimEnd()
			.split('\n')
			.map(line => JSON.parse(line)),
	};
}

test('LEDGE_DEBUG writes the start, each request, waits and the end of a command', async () => {
	const {events} = await runAndReadLog(['zones', '--simulate'], 'status=503 times=1 path=/zones');
	expect(events[0]).toMatchObject({event: 'start', process: process.pid, command: 'ledge zones'});
	expect(events.slice(1, 4)).toMatchObject([
		{event: 'call', method: 'GET', path: expect.stringMatching(/^\/zones/), status: 503, attempt: 1},
		{event: 'wait', milliseconds: expect.any(Number)},
		{event: 'call', method: 'GET', status: 200, attempt: 2},
	]);
	expect(events.at(-1)).toMatchObject({event: 'end', code: 0});
});

test('the debug log contains neither values nor credentials', async () => {
	const {text, events} = await runAndReadLog([
		'kv',
		'key',
		'put',
		'k',
		'a-value',
		'--namespace-id',
		'n',
		'--local',
	]);
	expect(events.map(({event}) => event)).toEqual(['start', 'end']);
	expect(text).not.toContain(secret);
	expect(text).not.toContain('a-value');
});

test('a failure is logged with its code and source location', async () => {
	const {events} = await runAndReadLog(['kv', 'key', 'get', 'none', '--namespace-id', 'n', '--local']);
	expect(events.map(({event}) => event)).toEqual(['start', 'failure', 'end']);
	expect(events[1]).toMatchObject({
		code: 'key_not_found',
		thrown: expect.arrayContaining([expect.stringMatching(/^at /)]),
	});
});
