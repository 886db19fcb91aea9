import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {rehearsalService} from '../../source/commands/rehearsal-service.ts';
import {createJob, type ListedJob, listJobs} from '../../source/config/jobs.ts';
import {createSession} from '../../source/session/session.ts';
import {takeUpTransfer} from '../../source/session/transfers.ts';

test('a transfer that another process ended since it was listed is done, and is not begun anew', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'ledge-'));
	try {
		const env = {LEDGE_STATE_DIR: join(folder, 'state')};
		const header = {
			id: 'abc',
			kind: 'export',
			created: 0,
			title: 'an export',
			target: {place: `local:${folder}`, namespace: 'one'},
			options: {path: join(folder, 'all.ndjson'), over: false},
		};
		const journal = await createJob(env, header);
		const [listed] = (await listJobs(env)) as [ListedJob];
		await journal.append({type: 'done', done: 1, refused: 0});
		await journal.close();
		const session = createSession(
			{},
			{
				cwd: () => folder,
				env,
				events: {record() {}, waiting() {}, warn() {}},
				startSimulated: () => Promise.reject(new TypeError('It is not needed.')),
				startRehearsal: rehearsalService,
			},
		);
		for (let time = 0; time < 2; time++)
			await expect(takeUpTransfer(session, listed, new AbortController().signal)).rejects.toMatchObject({
				code: 'usage',
				message: 'The job abc is done.',
			});
	} finally {
		rmSync(folder, {recursive: true});
	}
});
