import {describe, expect, test} from 'vitest';
import {createCommandContext} from '../../../source/commands/shell/context.ts';
import {printOverview} from '../../../source/commands/shell/overview.ts';
import {createScratchFolder} from '../../support/ledge.ts';
import {createTestHost} from '../../support/run.ts';

describe('ledge without a command', () => {
	test('does not report an internal error as a missing connection', async () => {
		using context = await createCommandContext(
			{},
			{host: createTestHost({cwd: createScratchFolder()}).host, code: 0, end() {}},
			{commandPath: ''},
		);
		const mistake = new TypeError('x is not a function');
		const broken = {...context, client: () => Promise.reject(mistake)};
		await expect(printOverview(broken)).rejects.toBe(mistake);
	});
});
