import {expect, test} from 'vitest';
import {formatRuleName} from '../../../source/firewall/rules/users.ts';

const filter = {id: 'f1', expression: 'ip.src eq 192.0.2.1', paused: false};

test.each([
	[{id: 'a', action: 'block', description: 'Scrapers', filter}, '"Scrapers" (block, a)'],
	[{id: 'a', action: 'block', filter}, 'ip.src eq 192.0.2.1 (block, a)'],
	[{id: 'a', description: 'Scrapers', expression: 'ssl'}, '"Scrapers" (a)'],
	[{id: 'a', action: 'block', paused: true, expression: 'ssl'}, 'ssl (block, paused, a)'],
	[{id: 'a', action: 'block', filter: {id: 'f1', deleted: true}}, 'a (block)'],
	[{description: 'x'.repeat(41), expression: 'ssl'}, `"${'x'.repeat(39)}…" (of unknown id)`],
] as const)('a rule is named by its description or else its expression, followed by its id: %j', (rule, name) => {
	expect(formatRuleName(rule)).toBe(name);
});
