import {EventEmitter} from 'node:events';
import {setImmediate as turn} from 'node:timers/promises';
import {describe, expect, test} from 'vitest';
import {run} from '../../../source/commands/run.ts';
import {faultWords} from '../../../source/simulator/faults/faults.ts';
import {ledge, testHost} from '../../support/run.ts';

describe('ledge simulate', () => {
	test('prints its address and what to do with it, a line for each', async () => {
		const events = new EventEmitter();
		const {host, bytes, stderr: printed} = testHost({events});
		const running = run(['simulate', '--port', '0', '--memory', '--verbose'], host);
		while (!printed().includes('ends it')) await turn();
		events.emit('SIGINT');
		expect(await running).toBe(0);
		const url = bytes().toString().trim();
		const stderr = printed();
		expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/client\/v4$/);
		expect(stderr).not.toContain('\\n');
		expect(stderr.split('\n')).toContain(
			`  export CLOUDFLARE_API_BASE_URL=${url} CLOUDFLARE_API_TOKEN=simulated`,
		);
	});

	test('its help has every word of a fault, and what it does', async () => {
		const {stdout} = await ledge(['simulate', '--help']);
		for (const [word, {means}] of Object.entries(faultWords)) {
			const line = stdout.split('\n').find(one => new RegExp(`^ {2}${word}(=…)? `).test(one));
			expect(line?.trim().replace(/^\S+ +/, ''), word).toBe(means);
		}
		expect(stdout).not.toContain('readme');
	});

	test.each([
		['a word that is not known', 'statuss=503', 'unknown word'],
		['nothing that goes wrong', 'method=GET', ''],
	])('a fault with %s is refused, and the help is named', async (_what, fault) => {
		const {code, stderr} = await ledge(['simulate', '--port', '0', '--memory', '--fault', fault]);
		expect(code).toBe(2);
		expect(stderr).toContain('`ledge simulate --help` lists all words');
	});
});
