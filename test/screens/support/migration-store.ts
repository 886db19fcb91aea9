import {onTestFinished} from 'vitest';
import {createTextKey} from '../../../source/keyboard/key.ts';
import {listMigrationChoices, type MigrationChoice} from '../../../source/screens/migration/choices.ts';
import type {MigrationState} from '../../../source/screens/migration/state.ts';
import type {ZoneWithLabel} from '../../../source/screens/shell/zone-with-label.ts';
import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';
import {createTestStore, type TestStore} from './store.ts';

export const shop = buildZone('6e23b63489e7241c0d871b10a397cebb', 'acme-shop.example', 'pro');
export const acme = buildZone('d0e032749968114a09730950255c7c0f', 'acme.example', 'enterprise');
export const legacy = buildZone('37448c39c748f8ae404e1e10860b5954', 'acme-legacy.example', 'enterprise');
export const blog = buildZone('61bf267f4af510ca281c94950d62fbea', 'acme-blog.example', 'free');

export function buildZone(id: string, name: string, plan: ZoneWithLabel['plan']): ZoneWithLabel {
	return {id, name, plan, label: `Acme › zone ${name}`, account: 'Acme'};
}

/** Opens the migration of a zone; returns what a person does there. */
export async function createMigratingPerson(
	openedZone: ZoneWithLabel,
	testStore: TestStore = createTestStore(),
) {
	const {state} = testStore;
	await state().migration.open(openedZone);
	state().navigation.go('migration');
	onTestFinished(() => state().migration.end());
	const person = {
		testStore,
		state,
		migration(): MigrationState {
			const migration = state().migration.data;
			if (!migration) throw new Error(`There is no migration: ${person.getMessageText()}`);
			return migration;
		},
		getMessageText: (): string => state().messages.latest?.text ?? '',
		choices: () => listMigrationChoices(person.migration()).map(({kind}) => kind),
		async choose(choiceKind: MigrationChoice['kind']) {
			const choice = listMigrationChoices(person.migration()).find(one => one.kind === choiceKind);
			if (!choice)
				throw new Error(
					`"${choiceKind}" is no choice here: ${person.choices().join(', ')}; ${person.getMessageText()}`,
				);
			testStore.advanceClock(minReviewMs);
			await state().migration.choose(choice);
		},
		async enter() {
			testStore.advanceClock(minReviewMs);
			await state().migration.enter();
		},
		type(text: string) {
			for (const character of text) state().migration.type(createTextKey(character));
		},
		async confirm(text: string) {
			person.type(text);
			testStore.advanceClock(minReviewMs);
			await state().migration.confirmSending();
		},
		countPuts: () => state().activity.data.rows.filter(({method}) => method === 'PUT').length,
		/** Goes from the start to the confirmation. */
		async goToConfirmation(path: 'direct' | 'validation first') {
			await person.choose('read');
			await person.choose('continue');
			if (person.migration().step === 'blockers') await person.enter();
			await person.enter();
			await person.choose(path);
			await person.choose('without rehearsal');
		},
	};
	return person;
}
