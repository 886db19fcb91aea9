import {setTimeout as sleep} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {leastSeen} from '../../../source/screens/shell/ask-about-production.ts';
import {acme, token, withContexts} from '../../screens/support/contexts.ts';
import {toLimits, typeMember} from '../../screens/support/edit-ways.ts';
import {ledge} from '../../support/run.ts';
import {startService} from '../../support/service.ts';
import {openScreen, type Screen} from '../screen/open.ts';

/** Chooses the row with a text in the list of contexts. */
async function choose(screen: Screen, text: string): Promise<void> {
	screen.press('C');
	await screen.waitFor('OR WHAT IT IS');
	await screen.waitFor('staging');
	screen.press('/');
	screen.type(text);
	await screen.waitFor(/ [12] of \d+/);
	screen.press('enter');
	await screen.waitFor(() => screen.selectedRow().text.includes(text));
	screen.press('enter');
}

test('switching with a copy running and an edit open: the copy ends in its account, the edit is kept, the header is right', async () => {
	const service = await startService('--accounts', '2');
	const cwd = withContexts(service, 'context_in_use = "prod"\n');
	const screen = await openScreen([], {cwd, env: token});
	await screen.waitFor(() => /prod .*⟨ REMOTE ⟩ +PRODUCTION$/.test(screen.line(0)));
	await screen.waitFor(/Account +(Acme|9108)/);
	screen.press('enter');
	await screen.waitFor('catalogue');
	screen.press('down', 'enter');
	await screen.waitFor('480 keys');

	await service.setFaults('latency=4000 path=/bulk/get');
	screen.press('c');
	await screen.waitFor('another store, by its name');
	screen.press('down', 'down');
	await screen.waitFor(/▸ another store/);
	screen.press('enter');
	await screen.waitFor('remote:TITLE');
	screen.paste('remote:assets');
	await screen.waitFor('remote:assets');
	screen.press('enter');
	await screen.waitFor('▸ Only the keys that are missing there');
	screen.press('enter');
	await screen.waitFor('PRODUCTION: ');
	await sleep(leastSeen + 20);
	screen.press('y');
	await screen.waitFor(/of 480 keys/);
	screen.press('esc');
	await screen.waitFor(() => !screen.text().includes('of 480 keys'));
	screen.press('esc');
	await screen.waitFor('catalogue');
	screen.press('up');
	await toLimits(screen);
	await typeMember(screen, '700');
	screen.press('esc');
	await screen.waitFor('is kept');

	await choose(screen, 'staging');
	await screen.waitFor(/Now in staging\. 1 job in prod\. Kept as 1 draft: limits\/api/);
	expect(screen.line(0)).toMatch(/staging .*⟨ REMOTE ⟩/);
	expect(screen.line(0)).not.toContain('PRODUCTION');
	await service.setFaults('');
	await screen.waitFor(/copying SESSIONS .*\(prod\): /);

	const writes = (await service.calls()).filter(
		({method, path}) => method !== 'GET' && !path.endsWith('/bulk/get'),
	);
	expect(writes.length).toBeGreaterThan(0);
	expect(writes.filter(({path}) => !path.includes(`/accounts/${acme.id}/`))).toEqual([]);
	const diff = await ledge(['kv', 'diff', 'remote:prod/SESSIONS', 'remote:prod/assets', '--json'], {
		cwd,
		env: token,
	});
	expect(diff.stderr).toBe('');
	const kinds = (JSON.parse(diff.stdout) as readonly {kind: string}[]).map(({kind}) => kind);
	expect(new Set(kinds)).toEqual(new Set(['only_in_other']));

	await choose(screen, 'prod');
	await screen.waitFor(/limits\/api.*just now/);
	expect(screen.line(0)).toMatch(/prod .*PRODUCTION$/);
	await screen.waitFor('Keep it for later');
});
