import {describe, expect, test} from 'vitest';
import {analyse} from '../../source/firewall/expression/analyse.ts';
import {pressed, typed} from '../../source/keyboard/key.ts';
import {contextOf} from '../../source/screens/action.ts';
import {helpRows, hintedActions} from '../../source/screens/action-lists.ts';
import {actions} from '../../source/screens/actions.ts';
import {dispatch} from '../../source/screens/dispatch.ts';
import {drawnExpression} from '../../source/screens/firewall/expression-view-rows.ts';
import {Wizard, wizardStatus} from '../../source/screens/firewall/wizard.tsx';
import {lookingTime} from '../../source/store/review-state.ts';
import {columnsOf} from '../../source/text/columns.ts';
import {shop} from '../store/support/firewall.ts';
import {createTestStore} from '../store/support/store.ts';
import {appOf, draw} from './support/drawn.tsx';

const sizes = [
	{columns: 60, rows: 15},
	{columns: 80, rows: 24},
	{columns: 200, rows: 60},
];

/** The wizard for a new rule in the shop, drawn, with keys that reach it as they do in ledge. */
function drawnWizard(size = sizes[1]) {
	const space = createTestStore();
	const app = appOf(space);
	app.state().openZone(shop);
	app.state().beginWizard({kind: 'new rule'});
	app.state().go('wizard');
	const drawn = draw(app, <Wizard />, size);
	const press = (keys: string) => {
		for (const [, name, character] of keys.matchAll(/<([^>]+)>|([^<])/gsu))
			dispatch(app, name === undefined ? typed(character ?? '') : pressed(name, ''));
	};
	return {space, app, drawn, press};
}

const holds = (text: string) => (rows: readonly string[]) => rows.some(row => row.includes(text));

describe('the expression', () => {
	test.each(sizes)('has the problem under its very characters, at $columns×$rows', async size => {
		const {drawn, press} = drawnWizard(size);
		press('ip.src == 10.0.0.0/8');
		await drawn.until(holds('~~~~~~~~~~'));
		const rows = drawn.rows();
		const line = rows.findIndex(row => row.includes('10.0.0.0/8'));
		expect(rows[line + 1]?.indexOf('~')).toBe(rows[line]?.indexOf('10.0.0.0/8'));
		expect(rows[line + 1]?.trim()).toBe('~'.repeat('10.0.0.0/8'.length));
		expect(rows.some(row => row.includes('tab writes'))).toBe(true);
	});

	test('is mended by tab', async () => {
		const {drawn, press} = drawnWizard();
		press('ip.src == 10.0.0.0/8<tab>');
		await drawn.until(holds('ip.src in {10.0.0.0/8}'));
		expect(drawn.rows().join('\n')).not.toContain('~');
	});

	test('has completions below it, with their types', async () => {
		const {drawn, press} = drawnWizard();
		press('http.ho');
		await drawn.until(holds('▸ http.host'));
		expect(drawn.rows().find(row => row.includes('▸ http.host'))).toContain('String');
	});

	test('takes letters as text, those that are keys elsewhere too', () => {
		const {app, press} = drawnWizard();
		press('q?:jGH');
		expect(app.state().wizard?.editing.analysis.text).toBe('q?:jGH');
	});

	test('a word that is not written to its end yet is no error so far', async () => {
		const {drawn, press} = drawnWizard();
		press('http.hos');
		await drawn.until(holds('○ There is no field'));
		press('<left>');
		await drawn.until(holds('× There is no field'));
	});

	test.each(
		sizes,
	)('of 4 KB keeps the cursor in sight, and no row is too wide, at $columns×$rows', async size => {
		const {app, drawn, press} = drawnWizard(size);
		const text = Array.from({length: 80}, (_, at) => `http.request.uri.path eq "/n${at}"`).join(' or ');
		dispatch(app, {name: 'paste', text, sequence: text});
		await drawn.until(holds('/n79'));
		press('<ctrl-home>');
		await drawn.until(holds('/n0"'));
		for (const row of drawn.rows()) expect(columnsOf(row)).toBeLessThanOrEqual(size.columns);
	});

	test('what does things to terminals is drawn as escapes', async () => {
		const {app, drawn} = drawnWizard();
		const hostile = 'http.host eq "\u001b[2J\u202e\u0007"';
		dispatch(app, {name: 'paste', text: hostile, sequence: hostile});
		await drawn.until(holds('\\x1b[2J\\u202e\\x07'));
	});
});

test('every character of a row has its piece, and marks stand in the columns of what they mark', () => {
	const text = 'http.host eq "東京" and ip.src == 10.0.0.0/8';
	const {tokens, errors} = analyse(text);
	const {rows} = drawnExpression(
		text,
		tokens,
		errors.map(({span}) => ({span, kind: 'error'})),
		undefined,
		80,
	);
	const [row] = rows;
	const lengths = [...(row?.runs ?? '').matchAll(/\d+/g)].map(Number);
	expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(row?.text.length);
	expect(row?.under?.text.indexOf('~')).toBe(columnsOf('http.host eq "東京" and ip.src == '));
});

describe('keys', () => {
	test('esc asks before something typed is lost, and leaves at once otherwise', () => {
		const {app, press} = drawnWizard();
		press('ssl<esc>');
		expect(app.state().dialog?.kind).toBe('confirm');
		press('<esc><backspace><backspace><backspace><esc>');
		expect(app.state().wizard).toBeUndefined();
		expect(app.state().stack.at(-1)).toBe('home');
	});

	test('help in the text lists the keys of the text, and in the menus those of the menus', () => {
		const {app, press} = drawnWizard();
		expect(contextOf(app.state())).toBe('wizard');
		const ids = () =>
			helpRows(actions, app.state(), '').flatMap(row => ('action' in row ? row.action.id : []));
		expect(ids()).toContain('wizard.take');
		press('ssl<enter>');
		expect(contextOf(app.state())).toBe('wizard menu');
		expect(ids()).toContain('wizard.choose');
		expect(ids()).not.toContain('wizard.take');
	});

	test.each(sizes)('the steps up to the review say what enter does, at $columns×$rows', async size => {
		const {app, drawn, press} = drawnWizard(size);
		const hints = () => hintedActions(actions, app.state()).map(({id}) => id);
		press('ssl<enter>');
		await drawn.until(holds('managed_challenge'));
		expect(hints()).toContain('wizard.choose');
		app.state().chooseAction('block');
		await drawn.until(holds('priority'));
		expect(hints()).toContain('wizard.next');
		press('<enter>');
		await drawn.until(holds('POST /zones/'));
		expect(hints()).toContain('wizard.send');
		expect(wizardStatus(app.state())).toBe('2 requests · nothing has been sent');
	});

	test('what the plan lacks stands there with its reason', async () => {
		const {drawn, press} = drawnWizard();
		press('ssl<enter>');
		await drawn.until(holds('not here: The action log is for the plan Enterprise'));
	});

	test('r shows the review as curl lines, and y copies them', async () => {
		const {app, drawn, press} = drawnWizard();
		press('http.host eq "it\'s"<enter>');
		app.state().chooseAction('block');
		press('<enter>r');
		await drawn.until(holds('curl -sS -X POST'));
		press('y');
		expect(app.copied[0]?.split('\n')).toHaveLength(2);
		expect(app.copied[0]).not.toMatch(/Bearer [^$]/);
	});

	test('after enter in the review the ways on are there', async () => {
		const {space, app, drawn, press} = drawnWizard();
		space.simulator.faults.replace('method=POST path=rules status=500');
		press('ssl<enter>');
		app.state().chooseAction('block');
		press('<enter>');
		await drawn.until(holds('POST /zones/'));
		space.passes(lookingTime);
		press('<enter>');
		await drawn.until(holds('Try the rule again'));
		expect(drawn.rows().join(' ')).toContain('ledge firewall rule create');
		press('y');
		expect(app.copied[0]).toMatch(
			/^ledge firewall rule create --zone-id \w+ --filter-id \w+ --action block$/,
		);
	});
});
