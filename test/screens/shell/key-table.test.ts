import {describe, expect, test} from 'vitest';
import {actions} from '../../../source/screens/actions.ts';
import type {Action} from '../../../source/screens/shell/app.ts';

/** Keys that mean the same on every screen, and how the titles of their actions begin. */
const fixedMeanings: Readonly<Record<string, RegExp>> = {
	d: /^(delete|remove|forget) /,
	u: /^(undo|restore the keys deleted last) /,
	R: /^rename /,
	y: /^copy /,
	Y: /^copy /,
	c: /^copy to /,
	'ctrl-x': /^(cancel|stop) ?/,
	space: /^(select |one page down|scroll |show more )/,
	s: /^sort /,
	w: /^save /,
	o: /^(load |use the rules in an export file)/,
	e: /^edit /,
	E: /^(edit |continue in )/,
	n: /^next match/,
	N: /^previous match/,
	p: /^(pause|resume|turn )/,
	'/': /^(filter|search|find) /,
	'?': /^show (the|keyboard) shortcuts/,
	':': /^command palette/,
	q: /^quit/,
	C: /^switch context/,
	'@': /^switch context/,
	U: /^continue or discard unsaved/,
	'!': /^block .* now \(emergency\)/,
	'[': /^go back/,
	']': /^go forward/,
	'ctrl-r': /^refresh/,
	0: /^go to Home/,
	1: /^go to namespaces/,
	2: /^go to the firewall rules/,
	3: /^go to the custom rules/,
	4: /^go to the active managed rules/,
	5: /^go to the zone's migration/,
	6: /^go to the security events/,
	7: /^go to jobs/,
	8: /^go to the zones/,
	9: /^go to the API calls/,
};

/** Actions whose title says something else, and why that is the same meaning. */
const exceptions: Readonly<Record<string, string>> = {
	'jobs.look-again': 'asks whether the job may be forgotten, once its process has ended',
	'lists.delete': 'd says where lists are deleted, since ledge cannot',
	'dialog.help-close': 'q and ? close the help, which has no other keys to show',
	'review.write': 'y answers the question of the review',
	'review.delete': 'y answers the question of the review',
	'bulk.send': 'y answers the question of the review',
	'bulk.delete': 'y answers the question of the review',
	'merge.send': 'y answers the question of the review',
	'merge.delete': 'y answers the question of the review',
	'managed.send': 'y answers the question of the review',
	'wizard.send': 'y answers the question of the review',
	'rateLimit.send': 'y answers the question of the review',
	'customRule.send': 'y answers the question of the review',
	'emergency.read-on': 'y answers the question of the review',
	'emergency.send': 'y answers the question of the review',
};

/** Contexts in which letters answer a question. */
const dialogs = new Set(['confirm', 'failure']);

const isOnScreen = ({where}: Action): boolean =>
	where === 'everywhere' || !where.every(context => dialogs.has(context));

const screenActions = actions.filter(action => isOnScreen(action) && !(action.id in exceptions));

describe.each(Object.entries(fixedMeanings))('the key %s', (key, meaning) => {
	test('means the same on every screen', () => {
		const bound = screenActions.filter(({keys}) => keys.includes(key));
		expect(bound).not.toEqual([]);
		expect(bound.filter(({title}) => !meaning.test(title)).map(({id, title}) => `${id}: ${title}`)).toEqual(
			[],
		);
	});
});

test('l and right open and move, and never write', () => {
	const bound = screenActions.filter(({keys}) => keys.includes('l') || keys.includes('right'));
	expect(bound.filter(({effect}) => effect !== undefined).map(({id}) => id)).toEqual([]);
});

// j, k, l, g and G move everywhere; in a menu, only enter chooses.
test('no other letter is harmless on one screen and prepares a write on another', () => {
	const letters = new Set(
		screenActions.flatMap(({keys}) =>
			keys.filter(key => /^[a-zA-Z=+<>]$/.test(key) && !(key in fixedMeanings) && !'jklgG'.includes(key)),
		),
	);
	const mixed = [...letters].flatMap(letter => {
		const bound = screenActions.filter(({keys}) => keys.includes(letter));
		const harmless = bound.filter(({effect}) => effect === undefined);
		return harmless.length > 0 && harmless.length < bound.length
			? [`${letter}: ${bound.map(({id, effect = 'harmless'}) => `${id} (${effect})`).join(', ')}`]
			: [];
	});
	expect(mixed).toEqual([]);
});

test('the exceptions exist', () => {
	expect(Object.keys(exceptions).filter(id => !actions.some(action => action.id === id))).toEqual([]);
});
