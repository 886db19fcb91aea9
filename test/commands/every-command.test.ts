import {expect, test} from 'vitest';
import {everyCommand, readSampleIds} from '../support/every-command.ts';
import {ledge} from '../support/run.ts';
import {serveSimulator} from '../support/serve-simulator.ts';

// production.test.ts checks the reverse: that commands declared as writing do write.
test('a command not declared as writing sends no write', async () => {
	const {env} = await serveSimulator();
	const ids = await readSampleIds(env);
	const refused: string[] = [];
	for (const {name, words} of everyCommand.filter(({writes, name}) => !writes && name !== 'simulate')) {
		const {stderr} = await ledge([...name.split(' '), ...words(ids), '--yes', '--read-only'], {env});
		if (/^error: Refused: /m.test(stderr)) refused.push(`${name}: ${stderr}`);
	}
	expect(refused).toEqual([]);
});
