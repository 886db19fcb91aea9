import {beforeEach, expect, test} from 'vitest';
import {migratedSampleZone, sampleIds} from '../../screens/support/custom-rules.ts';
import {createScratchFolder, ledge} from '../../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../../support/serve-simulator.ts';

const {office, admin, login, scrapers} = sampleIds;
const expression = ['--expression', 'http.host eq "dry.example"'];

let service: ServedSimulator;
beforeEach(async () => {
	service = await serveSimulator();
});

const run = (...words: readonly string[]) =>
	ledge(['rules', ...words, '--zone', migratedSampleZone.name], {
		env: {...service.env, LEDGE_TIME_SCALE: '0.01'},
		cwd: createScratchFolder(),
	});

type Printed = {readonly method: string; readonly url: string; readonly body?: {readonly content: string}};

test.each([
	['create', [...expression, '--action', 'block']],
	['create', [...expression, '--action', 'skip', '--skip', 'remaining,waf', '--before', admin, '--paused']],
	['create', [...expression, '--action', 'block', '--response-status', '429', '--response-body', '“later”']],
	['update', [admin, '--action', 'managed_challenge', '--description', 'other']],
	['update', [scrapers, ...expression, '--ref', 'mine']],
	['pause', [admin]],
	['pause', [office, admin, scrapers]],
	['resume', [login]],
	['move', [scrapers, '--first']],
	['move', [office, '--after', login]],
	['move', [office, '--to', '3']],
	['delete', [admin]],
	['delete', [admin, scrapers]],
	['restore', ['1']],
	['restore', ['1', '--rule', login]],
])('rules %s %s sends exactly what --dry-run prints', async (verb, words) => {
	const shown = await run(verb, ...words, '--dry-run', '--json');
	expect(shown, shown.stderr).toMatchObject({code: 0});
	expect(service.writes()).toEqual([]);
	const printed = (JSON.parse(shown.stdout) as readonly Printed[]).map(({method, url, body}) => ({
		method,
		path: url.slice(service.url.length),
		body: body && JSON.parse(body.content),
	}));
	const sent = await run(verb, ...words, '--yes');
	expect(sent, sent.stderr).toMatchObject({code: 0});
	expect(service.writes().map(({method, path, body}) => ({method, path, body}))).toEqual(printed);
	expect(printed).toHaveLength(1);
});
