import {execFileSync} from 'node:child_process';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {continuation} from '../../source/firewall/continuation.ts';

const zone = {id: 'zone1'};

test('the command that goes on names zone, filter and action, and no more than was given', () => {
	expect(continuation(zone, {action: 'block'}, 'filter1')).toBe(
		'ledge firewall rule create --zone-id zone1 --filter-id filter1 --action block',
	);
	expect(
		continuation(
			zone,
			{action: 'bypass', products: ['waf', 'bic'], priority: 0, paused: true, description: "it's", ref: 'r'},
			'filter1',
		),
	).toBe(
		"ledge firewall rule create --zone-id zone1 --filter-id filter1 --action bypass --products waf,bic --priority 0 --paused --description 'it'\\''s' --ref r",
	);
});

test('any description reaches ledge through a shell as it was', () => {
	const text = fc
		.string({unit: 'binary', minLength: 1})
		.filter(word => !word.includes('\0') && word.isWellFormed());
	fc.assert(
		fc.property(text, description => {
			const command = continuation(zone, {action: 'block', description}, 'f').replace(
				/^ledge/,
				"printf '%s\\0'",
			);
			const words = execFileSync('sh', ['-c', command]).toString().split('\0');
			expect(words.at(-2)).toBe(description);
		}),
		{numRuns: 40},
	);
});
