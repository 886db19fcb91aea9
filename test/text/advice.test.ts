import {expect, test} from 'vitest';
import {adviceText} from '../../source/failure.ts';
import {advice, adviceLines, inZone, ledge, onKeys, onKeysInto} from '../../source/text/advice.ts';

test('a command in a template without the tag is printed as it is typed', () => {
	expect(`See \`${ledge('jobs list')}\`.`).toBe('See `ledge jobs list`.');
	expect(`${onKeys('kv key get', 'a b')}`).toBe("ledge kv key get 'a b'");
	expect(`${inZone('firewall', 'rule', 'list')}`).toBe('ledge firewall rule list');
	expect(`${onKeysInto('kv export', ' > a.ndjson')}`).toBe('ledge kv export > a.ndjson');
});

test('in advice the options of where the work ran come before the rest of a command', () => {
	const where = ({on}: {on?: unknown}) => (on === 'keys' ? ' --binding A' : '');
	const next = advice`Write it: ${onKeysInto('kv export', ' > a.ndjson')}`;
	expect(adviceText(next, where)).toBe('Write it: ledge kv export --binding A > a.ndjson');
	expect(adviceText(adviceLines(next, ledge('jobs')) ?? '', where)).toContain('\nledge jobs');
});
