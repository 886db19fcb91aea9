import {describe, expect, test} from 'vitest';
import {wrapParagraphs} from '../../../source/components/paragraphs.ts';
import {analyse} from '../../../source/firewall/expression/expressions.ts';
import {bypassableProducts, type Rule} from '../../../source/firewall/rules/rule.ts';
import {createKey, createTextKey} from '../../../source/keyboard/key.ts';
import {actions} from '../../../source/screens/actions.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {drawExpression} from '../../../source/screens/expression-editor/rows.ts';
import {getInputContext} from '../../../source/screens/shell/action.ts';
import {buildHelpRows, listHintedActions} from '../../../source/screens/shell/action-lists.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {openRuleForm} from '../../../source/screens/stepped-form/rule-actions.ts';
import {createRuleFormBody, createRuleFormStatus} from '../../../source/screens/stepped-form/rule-view.tsx';
import {firewallRuleKind} from '../../../source/screens/wizard/kind.ts';
import type {WizardPurpose} from '../../../source/screens/wizard/slice.ts';
import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';
import {measureColumns} from '../../../source/text/columns.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {shop} from '../support/firewall.ts';
import {createTestStore} from '../support/store.ts';

const sizes = [
	{columns: 60, rows: 15},
	{columns: 80, rows: 24},
	{columns: 200, rows: 60},
];

/** The body of the wizard for firewall rules. */
const Wizard = createRuleFormBody(firewallRuleKind);

function drawWizard(size = sizes[1], purpose: WizardPurpose = {kind: 'new rule'}) {
	const testStore = createTestStore();
	const app = createTestApp(testStore);
	app.state().firewall.open(shop);
	app.state().wizard.begin(purpose);
	app.state().navigation.go('wizard');
	const drawn = draw(app, <Wizard />, size);
	const press = (keys: string) => {
		for (const [, name, character] of keys.matchAll(/<([^>]+)>|([^<])/gsu))
			dispatch(app, name === undefined ? createTextKey(character ?? '') : createKey(name, ''));
	};
	return {space: testStore, app, drawn, press};
}

/** An existing rule with an action unknown to ledge. */
const ruleWithUnknownAction: Rule = {
	id: '479f74b8ad7a4a87a5ee4c1b3a3a3a3a',
	paused: false,
	action: 'tarpit',
	priority: 5,
	filter: {id: '52010765ea08c3f0a1b2c3d4e5f60718', expression: 'ssl', paused: false},
};

/** Draws the wizard, and goes to the review of a new rule with this expression. */
async function goToReview(size: (typeof sizes)[number] | undefined, expression: string) {
	const wizardScreen = drawWizard(size);
	wizardScreen.press(`${expression}<enter>`);
	wizardScreen.app.state().wizard.chooseAction('block');
	wizardScreen.press('5<enter>');
	await wizardScreen.drawn.until(hasText('block, priority 5, active'));
	return wizardScreen;
}

const hasText = (text: string) => (rows: readonly string[]) => rows.some(row => row.includes(text));

describe('the expression', () => {
	test.each(
		sizes,
	)('too long to be fully visible does not move while it is typed, at $columns×$rows', async size => {
		const {app, drawn, press} = drawWizard(size);
		const conditions = Array.from(
			{length: 88},
			(_, number) => `http.request.uri.path contains "/path-${number}"`,
		);
		app.state().wizard.type({name: 'paste', text: conditions.join(' or '), sequence: ''});
		await drawn.until(hasText('"/path-87"'));
		const before = drawn.rows();
		const last = before.findIndex(row => row.includes('"/path-87"'));
		press('a');
		await drawn.until(hasText('"/path-87"a'));
		expect(drawn.rows().slice(0, last)).toEqual(before.slice(0, last));
		expect(drawn.rows()[last + 1]).toContain('~');
		press('<backspace>');
		await drawn.until(rows => !rows.some(row => row.includes('"/path-87"a')));
		expect(drawn.rows()).toEqual(before);
	});

	test.each(sizes)('has the problem below the exact characters, at $columns×$rows', async size => {
		const {drawn, press} = drawWizard(size);
		press('ip.src == 10.0.0.0/8');
		await drawn.until(hasText('~~~~~~~~~~'));
		const rows = drawn.rows();
		const line = rows.findIndex(row => row.includes('10.0.0.0/8'));
		expect(rows[line + 1]?.indexOf('~')).toBe(rows[line]?.indexOf('10.0.0.0/8'));
		expect(rows[line + 1]?.trim()).toBe('~'.repeat('10.0.0.0/8'.length));
		expect(rows.map(row => row.trim()).join(' ')).toContain('(tab writes `in {10.0.0.0/8}`)');
	});

	test('is corrected by tab', async () => {
		const {drawn, press} = drawWizard();
		press('ip.src == 10.0.0.0/8<tab>');
		await drawn.until(hasText('ip.src in {10.0.0.0/8}'));
		expect(drawn.rows().join('\n')).not.toContain('~');
	});

	test('has completions below it, with their types', async () => {
		const {drawn, press} = drawWizard();
		press('http.ho');
		await drawn.until(hasText('▸ http.host'));
		expect(drawn.rows().find(row => row.includes('▸ http.host'))).toContain('String');
	});

	test('takes letters as text, even those that are keys elsewhere', () => {
		const {app, press} = drawWizard();
		press('q?:jGH');
		expect(app.state().wizard.data?.editing.analysis.text).toBe('q?:jGH');
	});

	test('shows no error for a word still being typed', async () => {
		const {drawn, press} = drawWizard();
		press('http.hos');
		await drawn.until(hasText('○ Unknown field'));
		press('<left>');
		await drawn.until(hasText('× Unknown field'));
	});

	test.each(
		sizes,
	)('of 4 KB keeps the cursor visible, and no row is too wide, at $columns×$rows', async size => {
		const {app, drawn, press} = drawWizard(size);
		const text = Array.from({length: 80}, (_, at) => `http.request.uri.path eq "/n${at}"`).join(' or ');
		dispatch(app, {name: 'paste', text, sequence: text});
		await drawn.until(hasText('/n79'));
		press('<ctrl-home>');
		await drawn.until(hasText('/n0"'));
		for (const row of drawn.rows()) expect(measureColumns(row)).toBeLessThanOrEqual(size.columns);
	});

	test('draws terminal control characters as escapes', async () => {
		const {app, drawn} = drawWizard();
		const hostile = 'http.host eq "\u001b[2J\u202e\u0007"';
		dispatch(app, {name: 'paste', text: hostile, sequence: hostile});
		await drawn.until(hasText('\\x1b[2J\\u202e\\x07'));
	});
});

test('every character of a row has its piece, and marks are below the columns they refer to', () => {
	const text = 'http.host eq "東京" and ip.src == 10.0.0.0/8';
	const {tokens, errors} = analyse(text);
	const {rows} = drawExpression(
		text,
		tokens,
		errors.map(({span}) => ({span, kind: 'error'})),
		undefined,
		80,
	);
	const [row] = rows;
	const lengths = [...(row?.runs ?? '').matchAll(/\d+/g)].map(Number);
	expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(row?.text.length);
	expect(row?.underline?.text.indexOf('~')).toBe(measureColumns('http.host eq "東京" and ip.src == '));
});

describe('keys', () => {
	test('esc asks before typed text is lost, and leaves at once otherwise', () => {
		const {app, press} = drawWizard();
		press('ssl<esc>');
		expect(app.state().dialog.current?.kind).toBe('choice');
		press('<esc><backspace><backspace><backspace><esc>');
		expect(app.state().wizard.data).toBeUndefined();
		expect(app.state().navigation.stack.at(-1)).toBe('home');
	});

	test('the help lists the text keys in the text, and the menu keys in the menus', () => {
		const {app, press} = drawWizard();
		expect(getInputContext(app.state())).toBe('wizard');
		const ids = () =>
			buildHelpRows(actions, app.state(), '').flatMap(row => ('action' in row ? row.action.id : []));
		expect(ids()).toContain('wizard.take');
		press('cf.client.bot<enter>');
		expect(getInputContext(app.state())).toBe('wizard menu');
		expect(ids()).toContain('wizard.choose');
		expect(ids()).not.toContain('wizard.take');
	});

	test.each(sizes)('the steps before the review say what enter does, at $columns×$rows', async size => {
		const {app, drawn, press} = drawWizard(size);
		const hints = () => listHintedActions(actions, app.state()).map(({id}) => id);
		press('cf.client.bot<enter>');
		await drawn.until(hasText('managed_challenge'));
		expect(hints()).toContain('wizard.choose');
		app.state().wizard.chooseAction('block');
		await drawn.until(hasText('priority'));
		expect(hints()).toContain('wizard.next');
		press('<enter>');
		await drawn.until(hasText('POST /zones/'));
		expect(hints()).toContain('wizard.send');
		expect(createRuleFormStatus(firewallRuleKind)(app.state())).toBe('2 requests, nothing has been sent');
	});

	test('options that the plan lacks are listed with the reason', async () => {
		const {drawn, press} = drawWizard();
		press('cf.client.bot<enter>');
		await drawn.until(hasText('unavailable: The log action needs the Enterprise pl…'));
	});

	test('a reason too long for its line is shown in full below the choices', async () => {
		const {space: testStore, app, drawn, press} = drawWizard({columns: 60, rows: 24});
		const wizard = app.state().wizard.data;
		// The cursor begins on the action that was chosen.
		if (wizard)
			testStore.store.setState({
				wizard: {...testStore.store.getState().wizard, data: {...wizard, action: 'log'}},
			});
		press('cf.client.bot<enter>');
		const whole = 'unavailable: The log action needs the Enterprise plan.';
		await drawn.until(rows =>
			rows
				.map(row => row.trim())
				.join(' ')
				.includes(whole),
		);
		expect(drawn.rows().some(row => row.includes('…'))).toBe(true);
	});

	test('r shows the review as curl lines, and Y copies them', async () => {
		const {app, drawn, press} = drawWizard();
		press('http.host eq "it\'s"<enter>');
		app.state().wizard.chooseAction('block');
		press('<enter>r');
		await drawn.until(hasText('curl -sS -X POST'));
		press('Y');
		expect(app.copied[0]?.split('\n')).toHaveLength(2);
		expect(app.copied[0]).not.toMatch(/Bearer [^$]/);
	});

	test('Y copies no unfinished requests, and says why', async () => {
		const {space: testStore, app, drawn, press} = await goToReview(sizes[1], 'ssl');
		const wizard = app.state().wizard.data;
		// The plan of the shop has no such action.
		if (wizard)
			testStore.store.setState({
				wizard: {...testStore.store.getState().wizard, data: {...wizard, action: 'log'}},
			});
		await drawn.until(hasText("which can't be sent now"));
		press('rY');
		expect(app.copied).toEqual([]);
		expect(app.state().messages.latest?.text).toContain("it can't be sent now");
	});

	test('y in the review shows the ways to continue', async () => {
		const {space: testStore, app, drawn, press} = drawWizard();
		testStore.simulator.faults.replace('method=POST path=rules status=500');
		press('cf.client.bot<enter>');
		app.state().wizard.chooseAction('block');
		press('<enter>');
		await drawn.until(hasText('POST /zones/'));
		testStore.advanceClock(minReviewMs);
		press('y');
		await drawn.until(hasText('Retry the rule on this filter'));
		expect(drawn.rows().join(' ')).toContain('ledge firewall rule create');
		press('y');
		expect(app.copied[0]).toMatch(
			/^ledge firewall rule create --zone-id \w+ --simulate --filter-id \w+ --action block$/,
		);
	});
});

describe('enter in one burst with the text before it', () => {
	test('does not go to the next step at the end of the text, but the next enter does', () => {
		const {app, press} = drawWizard();
		press('ssl');
		dispatch(app, {...createKey('enter', '\r'), pasted: 'at the end'});
		expect(app.state().wizard.data?.step).toBe('expression');
		expect(app.state().messages.latest).toMatchObject({text: expect.stringContaining('Press enter again')});
		press('<enter>');
		expect(app.state().wizard.data?.step).toBe('action');
	});

	test('is a line feed inside the text', () => {
		const {app, press} = drawWizard();
		press('ssl');
		dispatch(app, {...createKey('enter', '\r'), pasted: 'inside'});
		press('and ssl');
		expect(app.state().wizard.data?.editing.analysis.text).toBe('ssl\nand ssl');
	});
});

test('the products to bypass have keys for the first and the last one', () => {
	const {app, press} = drawWizard();
	press('ssl<enter>');
	app.state().wizard.chooseAction('bypass');
	press('G');
	expect(app.state().wizard.data?.choiceCursor).toBe(bypassableProducts.length - 1);
	press('<home>');
	expect(app.state().wizard.data?.choiceCursor).toBe(0);
});

describe('the action of a rule being changed', () => {
	test('follows the filter, as it is, and enter keeps it', async () => {
		const {app, drawn, press} = drawWizard(sizes[1], {kind: 'change rule', rule: ruleWithUnknownAction});
		await drawn.until(hasText('E edits them'));
		press('<enter>');
		await drawn.until(hasText('▸ tarpit'));
		const rows = drawn.rows();
		expect(rows.find(row => row.includes('tarpit'))).toContain('current: an action unknown to ledge');
		expect(rows.findIndex(row => row.includes('tarpit'))).toBeLessThan(
			rows.findIndex(row => row.includes('block  ')),
		);
		app.state().wizard.chooseAction('tarpit');
		expect(app.state().wizard.data).toMatchObject({step: 'about', action: 'tarpit'});
	});

	test('is named in the review with its new value', async () => {
		const {app, drawn, press} = drawWizard(sizes[1], {kind: 'change rule', rule: ruleWithUnknownAction});
		press('<enter>');
		app.state().wizard.chooseAction('block');
		press('<backspace>9<enter>');
		await drawn.until(hasText('block, priority 9, active: ssl'));
		const rows = drawn.rows().map(row => row.trim());
		expect(rows).toContain('action       from tarpit to block');
		expect(rows).toContain('priority     from 5 to 9');
		expect(rows.filter(row => / from .* to /.test(row))).toHaveLength(2);
	});
});

describe('the review', () => {
	test.each(sizes)('begins with what the rule will do, at $columns×$rows', async size => {
		const {drawn} = await goToReview(size, 'http.host eq "a.example"');
		const rows = drawn.rows();
		const at = rows.findIndex(row => row.includes('block, priority 5, active: http.host eq'));
		expect(at).toBeGreaterThan(0);
		expect(at).toBeLessThan(4);
	});

	test('says how much of it is hidden until all of it was visible', async () => {
		const {drawn, press} = await goToReview(sizes[0], 'cf.client.bot');
		const more = Number(/… (\d+) more rows/.exec(drawn.rows().join('\n'))?.[1]);
		expect(more).toBeGreaterThan(5);
		press('<down>');
		await drawn.until(hasText(`… ${more - 1} more rows`));
		press('G');
		await drawn.until(rows => !hasText('more row')(rows) && hasText(']')(rows));
	});
});

test('a single row shows the beginning of a long expression', async () => {
	const {app, drawn} = drawWizard(sizes[0]);
	const text = Array.from({length: 9}, (_, at) => `http.host eq "${at}.example"`).join(' or ');
	dispatch(app, {name: 'paste', text, sequence: text});
	app.state().wizard.goToNextStep();
	await drawn.until(hasText('▸ block'));
	expect(drawn.rows().join('\n')).toMatch(/http\.host eq "0\.example" .*…/);
});

test('the result of a half-completed creation names the command and all ways to continue, at 60×15', async () => {
	const {space: testStore, app, drawn, press} = drawWizard(sizes[0]);
	testStore.simulator.faults.replace('method=POST path=rules status=500');
	press('cf.client.bot<enter>');
	app.state().wizard.chooseAction('block');
	press('<enter>');
	await drawn.until(hasText('cf.client.bot'));
	testStore.advanceClock(minReviewMs);
	press('y');
	await drawn.until(hasText('Retry the rule on this filter'));
	const rows = drawn.rows();
	expect(rows.some(row => row.includes('ledge firewall rule create'))).toBe(true);
	const choices = rows
		.slice(rows.findIndex(row => row.includes('Retry the rule on this filter')))
		.filter(Boolean);
	expect(choices.length).toBeGreaterThanOrEqual(4);
	for (const choice of choices) expect(choice).toMatch(/^ {2}(▸| ) \S/);
});

test('tab is labelled by its function in each step', () => {
	const {app, press} = drawWizard();
	const getTabHint = () => listHintedActions(actions, app.state()).find(({keys}) => keys[0] === 'tab')?.hint;
	expect(getTabHint()).toBe('complete');
	press('cf.client.bot<enter>');
	app.state().wizard.chooseAction('block');
	expect(getTabHint()).toBe('next line');
});

test('labelled lines keep their columns when wrapped', () => {
	const texts = ['rule    one two three four', 'now  a   b', '    one\ntwo', 'four  words of  some text'];
	expect(wrapParagraphs(texts, 20)).toEqual([
		'rule    one two',
		'        three four',
		'now  a   b',
		'    one',
		'    two',
		'four  words of some',
		'      text',
	]);
});

test('a review that was left for another area is there again, and counts only after it could be read', async () => {
	const {space: testStore, app, drawn, press} = drawWizard();
	press('cf.client.bot<enter>');
	app.state().wizard.chooseAction('block');
	press('<enter>');
	await drawn.until(hasText('POST /zones/'));
	testStore.advanceClock(minReviewMs);
	const id = app.state().wizard.data?.id;
	drawn.unmount();
	press('6');
	expect(getCurrentScreen(app.state())).toBe('events');
	openRuleForm(app, firewallRuleKind, {kind: 'new rule'});
	expect(getCurrentScreen(app.state())).toBe('wizard');
	expect(app.state().wizard.data).toMatchObject({id, step: 'review'});
	await draw(app, <Wizard />).until(hasText('POST /zones/'));
	press('y');
	expect(app.state().messages.latest?.text).toContain('Too fast');
});

test('a rule whose filter was deleted says so, what that means, and what can be done', async () => {
	const {drawn} = drawWizard(sizes[1], {
		kind: 'change rule',
		rule: {...ruleWithUnknownAction, filter: {id: ruleWithUnknownAction.filter.id, deleted: true}},
	});
	await drawn.until(hasText('deleted filter 52010765ea08c3f0a1b2c3d4e5f60718'));
	const text = drawn.rows().join(' ').replaceAll(/\s+/g, ' ');
	expect(text).toContain('The filter of this rule was deleted, so the rule matches nothing.');
	expect(text).toContain("A rule can't get another filter: delete this rule and create a new one.");
	expect(text).not.toContain('existing filter');
});
