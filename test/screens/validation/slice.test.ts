import {describe, expect, test} from 'vitest';
import {getTheme} from '../../../source/components/theme.ts';
import {createKey} from '../../../source/keyboard/key.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {hasEvents} from '../../../source/screens/migration/refresh-events.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {validationActions} from '../../../source/screens/validation/actions.ts';
import {buildValidationHead} from '../../../source/screens/validation/rows.ts';
import {
	buildSelectedException,
	getSelectedValidationRow,
	getValidationRows,
} from '../../../source/screens/validation/slice.ts';
import {analyticsProblems} from '../../../source/simulator/simulator.ts';
import {createTestApp} from '../support/drawn.tsx';
import {buildZone, createMigratingPerson, legacy} from '../support/migration-store.ts';
import {createTestStore} from '../support/store.ts';

const checkZone = buildZone('c4e8a1f05b3d4c7e8f9a0b1c2d3e4f52', 'check.acme.example', 'enterprise');

/** A person at a zone that has been in validation for a long time, whose events were read. */
async function openValidatingZone(faults = '') {
	const person = await createMigratingPerson(checkZone, createTestStore({simulate: true}, {faults}));
	await person.choose('read');
	await person.testStore.until(({migration: {data: migration}}) => migration?.events !== undefined);
	return person;
}

const {marks} = getTheme('none', true);

const findScopeAction = () => validationActions.find(({id}) => id === 'validation.all');

const countQueries = ({state}: Awaited<ReturnType<typeof openValidatingZone>>) =>
	state().activity.data.rows.filter(({path}) => path.endsWith('/graphql')).length;

describe('while both versions are on', () => {
	test('the events of each are read when the step is reached, and stay on their rows after a refresh', async () => {
		const person = await openValidatingZone();
		const {state, migration} = person;
		expect(migration()).toMatchObject({step: 'watch', record: {state: 'validating unreviewed'}});
		expect(hasEvents(migration())).toBe(true);
		expect(getValidationRows(state()).map(({kind}) => kind)).toEqual(
			expect.arrayContaining(['candidate', 'alone', 'rule']),
		);
		expect(getSelectedValidationRow(state())).toMatchObject({
			kind: 'candidate',
			subject: {path: '/api/import', version: 'new'},
		});
		state().validation.move(2);
		const {subject: second} = getSelectedValidationRow(state()) ?? {};
		await state().migration.readEvents('now');
		expect(getSelectedValidationRow(state())?.subject).toMatchObject({
			ruleId: second?.ruleId,
			version: second?.version,
		});
	});

	test('the events are recorded for the report, but not again with each read', async () => {
		const {testStore, state, migration} = await openValidatingZone();
		await testStore.until(now => now.migration.data?.record.validation !== undefined);
		const recordedValidation = migration().record.validation;
		expect(recordedValidation?.stopped.new).toBeGreaterThan(0);
		expect(recordedValidation?.candidates).toMatchObject([{path: '/api/import', addresses: 3}]);
		await state().migration.readEvents('now');
		expect(migration().record.validation).toBe(recordedValidation);
	});

	test('the events are not read again too early', async () => {
		const person = await openValidatingZone();
		const before = countQueries(person);
		await person.state().migration.readEvents('due');
		expect(countQueries(person)).toBe(before);
		expect(person.migration().events?.refreshIntervalMs).toBeGreaterThanOrEqual(60_000);
	});

	test('esc from the form of an exception leads back to the events, with the cursor where it was', async () => {
		const {state, migration, testStore} = await openValidatingZone();
		const app = createTestApp(testStore);
		const press = (name: string, text = '') => dispatch(app, createKey(name, text));
		press('v', 'v');
		const index = getValidationRows(state()).findLastIndex(
			({kind, subject}) => kind !== 'rule' && subject.version === 'new',
		);
		state().validation.move(index);
		const selectedRow = getSelectedValidationRow(state());
		press('a', 'a');
		await testStore.until(({dialog: {current: dialog}}) => dialog?.kind === 'field');
		expect(migration().step).toBe('edit');
		press('enter');
		expect(state().dialog.current).toMatchObject({title: 'What is it for?'});
		press('esc');
		expect(state().dialog.current).toMatchObject({title: 'Which requests?'});
		press('esc');
		expect(state().dialog.current).toBeUndefined();
		expect(getCurrentScreen(state())).toBe('validation');
		expect(getSelectedValidationRow(state())).toEqual(selectedRow);
		press('esc');
		expect(getCurrentScreen(state())).toBe('migration');
		expect(migration()).toMatchObject({step: 'watch', edits: []});
	});

	test('an exception made from a candidate is reviewed and sent like any other change', async () => {
		const person = await openValidatingZone();
		const {state, migration} = person;
		const exception = buildSelectedException(state());
		if (!exception) throw new Error('There is no candidate.');
		expect(exception).toMatchObject({
			expression: '(http.host eq "check.acme.example" and http.request.uri.path eq "/api/import")',
			skips: {kind: 'rules'},
		});
		expect(await state().migration.openValidationEditor()).toBe(true);
		expect(migration().step).toBe('edit');
		state().migration.applyEdit({kind: 'exception added', exception});
		expect(migration().configuration?.rules.some(rule => rule.expression === exception.expression)).toBe(
			true,
		);
		await person.enter();
		await person.enter();
		expect(migration()).toMatchObject({step: 'watch', record: {state: 'validating'}});
		expect(person.countPuts()).toBe(0);
		await person.choose('validation first');
		await person.choose('without rehearsal');
		await person.confirm(checkZone.name);
		expect(person.countPuts()).toBe(1);
		expect(migration().record).toMatchObject({
			state: 'validating',
			put: {mode: 'validation', came: 'accepted'},
		});
		expect(findScopeAction()?.getUnavailableReason?.(state())).toBeUndefined();
		// From here on events count since the change.
		await state().migration.readEvents('now');
		const {validationStart = 0, since = 0} = migration().events?.reading?.comparison ?? {};
		expect(since).toBeGreaterThan(validationStart);
		await state().migration.readEvents('now', 'all');
		expect(getSelectedValidationRow(state())).toMatchObject({
			kind: 'candidate',
			subject: {path: '/api/import'},
		});
	});
});

describe('missing figures leave the step unchanged', () => {
	test.each([
		...analyticsProblems.map(name => `analytics=${name}`),
		'status=403 path=graphql',
		'status=404 path=graphql',
		'status=429 retry-after=300 path=graphql',
		'html=403 path=graphql',
		'lacks-dataset=firewallEventsAdaptiveGroups',
		'lacks-dimension=source',
		'lacks-dimension=ruleId,clientRequestPath',
	])('%s', async faults => {
		const person = await openValidatingZone(faults);
		const {migration} = person;
		expect(migration().events?.problems.length).toBeGreaterThan(0);
		expect(migration()).toMatchObject({step: 'watch', phase: {name: 'asking'}, failure: undefined});
		expect(person.choices()).toEqual(['review', 'look again', 'leave']);
		await person.choose('review');
		expect(migration().step).toBe('review');
	});

	test('an unchanged configuration has one span of time, and the unknown start is said', async () => {
		const person = await openValidatingZone();
		expect(findScopeAction()?.getUnavailableReason?.(person.state())).toBe(
			'ledge did not begin this validation, and does not know its start',
		);
		const {events} = person.migration();
		const head = events ? buildValidationHead(events, {columns: 200, rows: 20, marks, now: 0}) : [];
		expect(
			head
				.flat()
				.map(({text}) => text)
				.join(''),
		).toContain('the start of validation is unknown');
	});

	test('a zone not in validation requests no events', async () => {
		const person = await createMigratingPerson(legacy);
		await person.choose('read');
		await person.state().migration.readEvents('now');
		expect(countQueries(person)).toBe(0);
		expect(person.migration().events).toBeUndefined();
	});
});
