import {expect, test} from 'vitest';
import {formatAdvice} from '../../source/failure.ts';
import {
	buildAdvice,
	buildCommand,
	buildKeysCommand,
	buildKeysCommandInto,
	buildZoneCommand,
	joinAdviceLines,
} from '../../source/text/advice.ts';

test('a command in an untagged template is printed as typed', () => {
	expect(`See \`${buildCommand('jobs list')}\`.`).toBe('See `ledge jobs list`.');
	expect(`${buildKeysCommand('kv key get', 'a b')}`).toBe("ledge kv key get 'a b'");
	expect(`${buildZoneCommand('firewall', 'rule', 'list')}`).toBe('ledge firewall rule list');
	expect(`${buildKeysCommandInto('kv export', ' > a.ndjson')}`).toBe('ledge kv export > a.ndjson');
});

test('advice puts the options for the location before the rest of a command', () => {
	const where = ({selects}: {selects?: unknown}) => (selects === 'keys' ? ' --binding A' : '');
	const next = buildAdvice`Write it: ${buildKeysCommandInto('kv export', ' > a.ndjson')}`;
	expect(formatAdvice(next, where)).toBe('Write it: ledge kv export --binding A > a.ndjson');
	expect(formatAdvice(joinAdviceLines(next, buildCommand('jobs')) ?? '', where)).toContain('\nledge jobs');
});
