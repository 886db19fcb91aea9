import {onTestFinished} from 'vitest';
import {createTextKey} from '../../../source/keyboard/key.ts';
import type {ZoneWithLabel} from '../../../source/screens/firewall/state.ts';
import {listMigrationChoices, type MigrationChoice} from '../../../source/screens/migration/choices.ts';
import type {MigrationState} from '../../../source/screens/migration/state.ts';
import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';
import {createTestStore, type TestStore} from './store.ts';

export const shop = zone('6e23b63489e7241c0d871b10a397cebb', 'acme-shop.example', 'pro');
export const acme = zone('d0e032749968114a09730950255c7c0f', 'acme.example', 'enterprise');
export const legacy = zone('37448c39c748f8ae404e1e10860b5954', 'acme-legacy.example', 'enterprise');
export const blog = zone('61bf267f4af510ca281c94950d62fbea', 'acme-blog.example', 'free');

export function zone(id: string, name: string, plan: ZoneWithLabel['plan']): ZoneWithLabel {
	return {id, name, plan, label: `Acme › zone ${name}`, account: 'Acme'};
}

/** A person at the migration of a zone. */
export async function at(place: ZoneWithLabel, space: TestStore = createTestStore()) {
	const {state} = space;
	await state().migration.open(place);
	state().navigation.go('migration');
	onTestFinished(() => state().migration.end());
	const person = {
		space,
		state,
		migration(): MigrationState {
			const migration = state().migration.data;
			if (!migration) throw new Error(`There is no migration: ${person.said()}`);
			return migration;
		},
		said: (): string => state().messages.latest?.text ?? '',
		choices: () => listMigrationChoices(person.migration()).map(({kind}) => kind),
		async choose(does: MigrationChoice['kind']) {
			const choice = listMigrationChoices(person.migration()).find(one => one.kind === does);
			if (!choice)
				throw new Error(`"${does}" is no choice here: ${person.choices().join(', ')}; ${person.said()}`);
			space.passes(minReviewMs);
			await state().migration.choose(choice);
		},
		async enter() {
			space.passes(minReviewMs);
			await state().migration.enter();
		},
		type(text: string) {
			for (const character of text) state().migration.type(createTextKey(character));
		},
		async confirm(text: string) {
			person.type(text);
			space.passes(minReviewMs);
			await state().migration.confirmSending();
		},
		puts: () => state().activity.calls.filter(({method}) => method === 'PUT').length,
		/** All the way to the confirmation. */
		async toConfirmation(path: 'direct' | 'validation first') {
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
