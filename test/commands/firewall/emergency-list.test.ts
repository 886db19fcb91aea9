import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {errorOf, setUpFirewallService, zoneIds} from '../../support/firewall.ts';
import {createScratchFolder, ledge} from '../../support/run.ts';

const service = setUpFirewallService();
const addresses = Array.from({length: 500}, (_, index) => `2001:db8::${(index + 1).toString(16)}`);

/** Writes targets to a file in a folder of its own; returns both. */
function writeTargets(targets: readonly string[]): {folder: string; file: string} {
	const folder = createScratchFolder();
	const file = join(folder, 'attackers.txt');
	writeFileSync(file, targets.join('\n'));
	return {folder, file};
}

test('more addresses than an expression holds are refused, and the printed commands block them by a list', async () => {
	const {folder, file} = writeTargets(addresses);
	const options = ['--action', 'managed_challenge', '--for', '2h', '--json'];
	const refused = await service.run(['emergency', '--file', file, ...options]);
	expect(refused.code).toBe(2);
	const error = errorOf(refused);
	expect(error).toMatchObject({code: 'limit', left: 'Nothing was sent.'});
	expect(error.what).toContain('500 addresses do not fit in one expression');
	expect(await service.takeWrites()).toEqual([]);
	const commands = [...String(error.next).matchAll(/`ledge ([^`]*)`/g)].map(([, command = '']) => command);
	expect(commands).toHaveLength(3);
	for (const command of commands) {
		const words = [...command.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
		const ended = await ledge(words, {cwd: folder, env: {...service.env, LEDGE_TIME_SCALE: '0.01'}});
		expect(ended.code, ended.stderr).toBe(0);
	}
	const [list, items, rule] = await service.takeWrites();
	expect(list?.body).toEqual({name: 'emergency_block', kind: 'ip'});
	expect(items?.body).toEqual(addresses.map(ip => ({ip})));
	expect(rule).toMatchObject({
		path: `/zones/${zoneIds.enterprise}/firewall/rules`,
		body: [
			{
				action: 'managed_challenge',
				filter: {expression: expect.stringMatching(/^\(?ip\.src in \$emergency_block\)? and /)},
			},
		],
	});
});

test.each([
	['a country', 'country:XX'],
	['a path', '/wp-login.php'],
	['a range', '192.0.2.1-192.0.2.9'],
	['a network that no list takes', '16.0.0.0/4'],
])('with %s among them, a list is not suggested', async (_name, target) => {
	const {file} = writeTargets([...addresses, target]);
	const ended = await service.run(['emergency', '--file', file, '--match', 'any', '--json']);
	expect(ended.code).toBe(2);
	expect(ended.stderr).not.toContain('ledge lists');
	expect(await service.takeWrites()).toEqual([]);
});
