import {describe, expect, test} from 'vitest';
import {
	addEnd,
	findEnd,
	formatEnd,
	formatEndTime,
	removeEnd,
} from '../../../source/firewall/rules/end-time.ts';
import {createKey, createTextKey} from '../../../source/keyboard/key.ts';
import {buildEmergencyRequests} from '../../../source/screens/emergency/state.ts';
import {getTypedExpression} from '../../../source/screens/expression-editor/editing.ts';
import {checkTypedEnd} from '../../../source/screens/stepped-form/rule-end.ts';
import {buildRuleReviewRows} from '../../../source/screens/stepped-form/rule-review.ts';
import {firewallRuleKind} from '../../../source/screens/wizard/kind.ts';
import type {WizardPurpose} from '../../../source/screens/wizard/state.ts';
import {getBufferText} from '../../../source/text/buffer/buffer.ts';
import {openEmergencyAsUser} from '../emergency/person.ts';
import {shop} from '../support/firewall.ts';
import {createTestStore} from '../support/store.ts';

const later = 4_000_000_000;
const now = () => Math.floor(Date.now() / 1000);
const temporaryFilter = {id: 'f1', expression: addEnd('ssl', now() + 86_400), paused: false};
const temporaryPurpose: WizardPurpose = {kind: 'change filter', filter: temporaryFilter, rulesOnFilter: []};

/** Opens the wizard with `ends` as its current line. */
async function openAtEnds(purpose: WizardPurpose) {
	const testStore = createTestStore();
	const {state} = testStore;
	state().firewall.open(shop);
	await state().firewall.load(testStore.signal);
	const {wizard} = state();
	wizard.begin(purpose);
	const getWizard = () => {
		const {data} = state().wizard;
		if (!data) throw new Error('There is no wizard.');
		return data;
	};
	const type = (keys: string) => {
		for (const [, name, character] of keys.matchAll(/<([^>]+)>|([^<])/gsu))
			wizard.type(name === undefined ? createTextKey(character ?? '') : createKey(name, ''));
	};
	if (purpose.kind === 'new rule' && !purpose.filter) type('ssl');
	wizard.goToNextStep();
	if (purpose.kind === 'new rule') wizard.chooseAction('block');
	type('<down><down><down>');
	return {
		state,
		wizard,
		getWizard,
		type,
		getExpression: () => getTypedExpression(getWizard().editing),
		getEndText: () => getBufferText(getWizard().aboutFields.ends),
	};
}

describe('the line that ends a rule', () => {
	test('is never by default, and leaves the expression as it is', async () => {
		const {wizard, getWizard, getEndText, getExpression} = await openAtEnds({kind: 'new rule'});
		expect(getWizard().aboutFields.cursorRow).toBe('ends');
		expect(getEndText()).toBe('never');
		wizard.goToNextStep();
		expect(getExpression()).toBe('ssl');
	});

	test('shift-tab goes on from the first line to the last one, up stays there', async () => {
		const {getWizard, type, wizard} = await openAtEnds({kind: 'new rule'});
		const getRow = () => getWizard().aboutFields.cursorRow;
		const last = getRow();
		type('<up><up><up><up>');
		const first = getRow();
		expect(first).not.toBe(last);
		type('<shift-tab>');
		expect(getRow()).toBe(last);
		wizard.goToNextLine();
		expect(getRow()).toBe(first);
	});

	test('puts the end into the expression, and the review shows it as a time', async () => {
		const {wizard, getWizard, type, getExpression, getEndText} = await openAtEnds({kind: 'new rule'});
		const start = now();
		type('2h');
		wizard.goToNextStep();
		const end = findEnd(getExpression()) ?? 0;
		expect(end - start).toBeGreaterThanOrEqual(7200);
		expect(end - start).toBeLessThan(7260);
		expect(removeEnd(getExpression())).toBe('ssl');
		expect(JSON.stringify(getWizard().requests)).toContain(`(ssl) and http.request.timestamp.sec lt ${end}`);
		const rows = buildRuleReviewRows(firewallRuleKind, getWizard(), undefined, 100, {
			failed: 'x',
			warning: '!',
			dot: '-',
		}).rows.map(row => row.map(({text}) => text).join(''));
		expect(rows.join('\n')).toContain(`Acts ${formatEnd(end)}`);
		wizard.goToPreviousStep();
		expect(getEndText()).toBe(formatEndTime(end));
	});

	test('keeps the step until what is typed is an end', async () => {
		const {state, wizard, type, getWizard} = await openAtEnds({kind: 'new rule'});
		type('2x');
		wizard.goToNextStep();
		expect(getWizard().step).toBe('about');
		expect(state().messages.latest?.text).toContain('Type never, a duration such as 30m');
	});

	test('shows the end of an edited expression, changes nothing unasked, and removes it', async () => {
		const {wizard, type, getWizard, getEndText, getExpression} = await openAtEnds(temporaryPurpose);
		expect(getEndText()).toBe(formatEndTime(findEnd(temporaryFilter.expression) ?? 0));
		wizard.goToNextStep();
		expect(getWizard().requests).toEqual([]);
		wizard.goToPreviousStep();
		type('never');
		wizard.goToNextStep();
		expect(getExpression()).toBe('ssl');
	});

	test('is not offered where an existing filter keeps its expression', async () => {
		const filter = {id: 'f1', expression: 'ssl', paused: false};
		const {getWizard} = await openAtEnds({kind: 'new rule', filter});
		expect(firewallRuleKind.listRows(getWizard())).not.toContain('ends');
	});

	test('accepts the end of the expression even after it has passed', () => {
		const expression = addEnd('ssl', 1_000_000_000);
		expect(checkTypedEnd(formatEndTime(1_000_000_000), expression)).toBeUndefined();
		expect(checkTypedEnd(formatEndTime(1_000_000_000), 'ssl')).toContain('later time');
		expect(checkTypedEnd(formatEndTime(later), 'ssl')).toContain('up to 366d');
	});
});

test('an emergency ends when it is told to in its review, without another step', async () => {
	const {state, goToReview, emergency} = await openEmergencyAsUser();
	await goToReview('ip.src eq 192.0.2.9');
	expect(emergency().step).toBe('review');
	state().emergency.askEnd();
	state().dialog.setText('never mind');
	const {current} = state().dialog;
	if (current?.kind !== 'field') throw new Error('The end is not asked for.');
	expect(current.check?.('never mind')).toContain('Type never');
	current.submit('30m');
	expect(JSON.stringify(buildEmergencyRequests(emergency()))).toMatch(
		/\(ip\.src eq 192\.0\.2\.9\) and http\.request\.timestamp\.sec lt \d{10}/,
	);
	expect(emergency().requests).toEqual(buildEmergencyRequests(emergency()));
});
