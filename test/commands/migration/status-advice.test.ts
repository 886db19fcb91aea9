import {describe, expect, test} from 'vitest';
import {createMigratingZone, type MigratingZone, type ZoneParts} from '../../support/migration.ts';

/** Runs the command that the status suggests. Returns its first word and how it ended. */
async function runSuggestedCommand(zone: MigratingZone) {
	const {stdout, stderr} = await zone.run(['status', '--json']);
	expect(stderr).toBe('');
	const [next = ''] = JSON.parse(stdout).next;
	const words = next.split(' ').slice(2);
	return {word: words[0], ended: await zone.run(words.slice(0, words.indexOf('--zone-id')))};
}

describe('the status suggests commands that work', () => {
	test.each([
		['with more firewall rules than can be migrated', {bypasses: 201}],
		['with an expression that is too long', {expression: `http.host eq "${'a'.repeat(4096)}"`}],
		['without blockers', {}],
	] as const satisfies readonly (readonly [string, ZoneParts])[])('%s', async (_what, parts) => {
		const zone = await createMigratingZone(parts);
		const {word, ended} = await runSuggestedCommand(zone);
		const {code} = await zone.run(['plan']);
		expect(word).toBe(code === 0 ? 'plan' : 'check');
		expect(ended.code, ended.stderr).toBe(code);
	});

	test.each([
		[true, 'report'],
		[false, 'export'],
	])('for a complete zone with a backup: %s', async (hasBackup, expected) => {
		const zone = await createMigratingZone();
		if (hasBackup) expect((await zone.run(['backup'])).code).toBe(0);
		await zone.putElsewhere('pending');
		const {word, ended} = await runSuggestedCommand(zone);
		expect(word).toBe(expected);
		expect(ended.code, ended.stderr).toBe(0);
	});
});
