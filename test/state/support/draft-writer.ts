// Saves drafts and then kills itself: `draft-writer.ts STATE_DIRECTORY NAME COUNT [SIGNAL]`. With a signal,
// it first prints a line, and saves in the handler of the signal.
import {writeSync} from 'node:fs';
import {keyForm, saveDraft, toBase64} from '../../../source/state/drafts.ts';

const [state = '', name = '', count = '1', signal] = process.argv.slice(2);

function saveAndDie(): void {
	for (let at = 0; at < Number(count); at++) {
		saveDraft(
			{LEDGE_STATE_DIR: state},
			{
				target: {place: 'simulated', account: 'a', namespace: 'n'},
				label: 'Acme › SESSIONS',
				key: `${name}:${at}`,
				form: keyForm,
				instance: '',
				fields: {base64: toBase64(Buffer.from(`${name} wrote ${at}`))},
			},
		);
	}
	process.kill(process.pid, 'SIGKILL');
}

if (signal) {
	process.on(signal, saveAndDie);
	setInterval(() => {}, 1000);
	writeSync(1, 'ready\n');
} else saveAndDie();
