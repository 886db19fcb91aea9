import {describe, expect, test} from 'vitest';
import {createKey} from '../../../source/keyboard/key.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {Migration} from '../../../source/screens/migration/view/view.tsx';
import {listHintedActions} from '../../../source/screens/shell/action-lists.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {migrationWith, plan} from '../support/migration.ts';
import {drawMigrationRows, sizes} from '../support/migration-rows.tsx';
import {acme, createMigratingPerson} from '../support/migration-store.ts';

/** Opens the review of a zone in a terminal of this size. */
async function openReview(size: {readonly columns: number; readonly rows: number}) {
	const person = await createMigratingPerson(acme);
	await person.choose('read');
	await person.choose('continue');
	if (person.migration().step === 'blockers') await person.enter();
	const app = createTestApp(person.testStore);
	const drawn = draw(app, <Migration />, size);
	await drawn.until(rows => rows.some(row => row.includes('fingerprint')));
	const press = (...keys: readonly string[]) => {
		for (const key of keys) dispatch(app, createKey(key, ''));
	};
	const getEnterHint = () =>
		listHintedActions(app.actions, person.state()).find(({keys}) => keys[0] === 'enter')?.hint;
	return {
		...person,
		drawn,
		press,
		getEnterHint,
	};
}

const roomy = {columns: 110, rows: 60};

describe('the settings as the service proposes', () => {
	test('are one line at the end of the review, which says that it includes them', async () => {
		const review = await openReview(roomy);
		const text = review.drawn.rows().join('\n');
		expect(text).toMatch(/same as the proposal, fingerprint/);
		expect(text).toContain('▹ 18 settings as the service proposes (z shows them)');
		expect(text).not.toContain('sensitivity  ');
		expect(text).toMatch(/ON\s+unless\s+turned\s+off\s+here;\s+recreate\s+manually/);
		expect(review.getEnterHint()).toBe('I have reviewed this');
	});

	test('are all listed after z, and then must be read before Enter confirms', async () => {
		const review = await openReview(roomy);
		review.press('z');
		expect(review.getEnterHint()).toBe('read on');
		await review.drawn.until(rows => rows.some(row => row.includes('z hides them')));
		const seen: string[] = [...review.drawn.rows()];
		while (review.getEnterHint() === 'read on') {
			const before = review.drawn.rows().join('\n');
			review.press('enter');
			await review.drawn.until(rows => rows.join('\n') !== before);
			seen.push(...review.drawn.rows());
		}
		expect(review.getEnterHint()).toBe('I have reviewed this');
		const text = seen.join('\n');
		for (const subject of ['sensitivity', 'group Platform WHMCS', 'Monitoring', '27 other rules'])
			expect(text).toContain(subject);
		review.press('z');
		expect(review.getEnterHint()).toBe('I have reviewed this');
		expect(review.migration().step).toBe('review');
	});

	test('that were changed are at the beginning, and what was changed is not folded', async () => {
		const review = await openReview(roomy);
		review.state().migration.applyEdit({kind: 'score threshold', points: 60});
		review.state().migration.goToStep('review');
		await review.drawn.until(rows => rows.some(row => row.includes('17 settings')));
		const rows = review.drawn.rows();
		const findRow = (text: string | RegExp) => rows.findIndex(row => row.search(text) !== -1);
		expect(findRow('6 rules, 1 change to the proposal')).toBe(0);
		expect(findRow('blocks less')).toBeGreaterThan(0);
		expect(findRow('Your unsent changes')).toBeGreaterThan(findRow('blocks less'));
		expect(findRow('cannot be undone')).toBeGreaterThan(findRow('Your unsent changes'));
		expect(findRow(/sensitivity/)).toBeGreaterThan(findRow('Your unsent changes'));
		expect(findRow('17 settings')).toBeGreaterThan(findRow('Not migrated'));
	});
});

test('z says so if nothing is folded', async () => {
	const review = await openReview(roomy);
	const {state} = review.testStore;
	review.press('t', 'z');
	expect(review.migration().showsProposed).toBe(false);
	review.press('t');
	const migration = review.migration();
	review.testStore.store.setState({
		migration: {...state().migration, data: {...migration, plan: {...plan, sections: []}}},
	});
	review.press('z');
	expect(review.migration().showsProposed).toBe(false);
	expect(review.getMessageText()).toContain('nothing is hidden');
});

test('the result of a rehearsal is one line', async () => {
	const person = await createMigratingPerson(acme);
	await person.choose('read');
	await person.choose('continue');
	if (person.migration().step === 'blockers') await person.enter();
	person.state().migration.applyEdit({kind: 'score threshold', points: 60});
	await person.enter();
	await person.enter();
	await person.choose('validation first');
	await person.choose('rehearse');
	const rows = await drawMigrationRows(person.migration());
	expect(rows[0]?.slice(20).trim()).toBe('✓ Rehearsed: 6 rules as planned, 1 change to the proposal');
	expect(rows[1]?.slice(20).trim()).toBe('');
	const text = rows.join('\n');
	expect(text).toContain('through validation, then deployed');
	expect(text).toContain('complete: new version only');
	expect(text).toContain('Waiting until only the new version is on');
});

test('a wide screen has the changes at the left, and the warnings beside them', async () => {
	const [first] = await drawMigrationRows(migrationWith({step: 'review'}), sizes[2]);
	expect(first).toMatch(/3 rules, 1 change to the proposal.*PL1 for Medium and Low/);
});
