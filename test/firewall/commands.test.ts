import {execFileSync} from 'node:child_process';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {formatCreateRuleCommand} from '../../source/firewall/commands.ts';
import {formatEmergencyCommand} from '../../source/firewall/rules/emergency-command.ts';
import {escapeText} from '../../source/text/safe-text.ts';
import {isFull} from '../support/full.ts';

const zone = {id: 'zone1'};

test('the follow-up command names the zone, the filter, the action and only the settings given', () => {
	expect(formatCreateRuleCommand(zone, {action: 'block'}, 'filter1')).toBe(
		'ledge firewall rule create --zone-id zone1 --filter-id filter1 --action block',
	);
	expect(
		formatCreateRuleCommand(
			zone,
			{action: 'bypass', products: ['waf', 'bic'], priority: 0, paused: true, description: "it's", ref: 'r'},
			'filter1',
		),
	).toBe(
		"ledge firewall rule create --zone-id zone1 --filter-id filter1 --action bypass --products waf,bic --priority 0 --paused --description 'it'\\''s' --ref r",
	);
});

test('the emergency command names the zone before anything long, and includes every setting', () => {
	expect(
		formatEmergencyCommand(
			{...zone, name: 'a.example'},
			{action: 'block', priority: 3, paused: true},
			'ssl\nand ip.src eq 192.0.2.1',
		),
	).toBe(
		"ledge firewall emergency --zone-id zone1 --expression $'ssl\\nand ip.src eq 192.0.2.1' --action block --priority 3 --paused",
	);
});

test.each([
	['a\nb', "$'a\\nb'"],
	["it's\u202e\\", "$'it\\'s\\xe2\\x80\\xae\\\\'"],
	['\u0085', "$'\\xc2\\x85'"],
	['=sh', "'=sh'"],
	['a=b', 'a=b'],
])('%j is quoted on one line, without characters that a terminal would hide', (description, word) => {
	expect(
		formatCreateRuleCommand(zone, {action: 'block', description}, 'f').endsWith(` --description ${word}`),
	).toBe(true);
});

test('any description passes through a shell to ledge unchanged', () => {
	const text = fc
		.string({unit: 'binary', minLength: 1})
		.filter(word => !word.includes('\0') && word.isWellFormed());
	fc.assert(
		fc.property(fc.array(text, {minLength: 40, maxLength: 40}), descriptions => {
			const commands = descriptions.map(description =>
				formatCreateRuleCommand(zone, {action: 'block', description}, 'f').replace(/^ledge/, 'last'),
			);
			expect(commands.map(escapeText)).toEqual(commands);
			const script = ['last() { shift $(($# - 1)); printf \'%s\\0\' "$1"; }', ...commands].join('\n');
			const printed = execFileSync('bash', ['-c', script], {env: {...process.env, LC_ALL: 'C'}});
			expect(printed.toString().split('\0').slice(0, -1)).toEqual(descriptions);
		}),
		{numRuns: isFull ? 20 : 1},
	);
});
