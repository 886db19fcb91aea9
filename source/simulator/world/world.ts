import {simulatedAccount} from '../accounts/identities.ts';
import {addCustomRuleSamples} from './custom-rule-samples.ts';
import {WorldDatabase} from './database.ts';
import {EntryStore} from './entries.ts';
import {addFirewallSamples} from './firewall-samples.ts';
import {addListSamples} from './list-samples.ts';
import {addMigrationSamples} from './migration-samples.ts';
import {NamespaceStore} from './namespaces.ts';
import {Resources} from './resources.ts';
import {fillSample, sampleNamespaces} from './samples.ts';
import type {Seed} from './seed.ts';
import {addSeed} from './seeded-world.ts';
import {sampleZones} from './zones.ts';

export type WorldOptions = {
	/** The file of the world; undefined: in memory. */
	readonly file?: string;
	/** Returns the time in milliseconds since the epoch. */
	readonly now: () => number;
	/**
	 * Fills a new world with sample namespaces, filters and firewall rules. It always has zones, because the
	 * service cannot create any.
	 */
	readonly samples: boolean;
	/** The only zone, instead of all samples. */
	readonly seed?: Seed;
	/**
	 * Number of keys in the namespace `generated`, none of them stored; the world keeps it. Undefined: no
	 * change.
	 */
	readonly generatedKeys?: number | undefined;
};

/** All data of the simulated service for one account: its namespaces, zones, and what belongs to them. */
export class World {
	readonly namespaces: NamespaceStore;
	readonly entries: EntryStore;
	readonly resources: Resources;
	readonly #database: WorldDatabase;
	readonly #options: WorldOptions;

	constructor(options: WorldOptions) {
		const {file, now} = options;
		this.#options = options;
		this.#database = new WorldDatabase(file, database => populate(database, options));
		this.entries = new EntryStore(this.#database);
		const fill = (zoneId: string, createdAt: number) => {
			const resources = new Resources(this.#database);
			if (zoneId === simulatedAccount.id) {
				addListSamples(resources, zoneId);
				return;
			}
			addFirewallSamples(resources, zoneId);
			addCustomRuleSamples(resources, zoneId);
			addMigrationSamples(this.#database, resources, zoneId, createdAt);
		};
		this.resources = new Resources(this.#database, fill, now);
		this.namespaces = new NamespaceStore(this.#database, this.entries, (sample, namespaceNumber) =>
			fillSample(sample, {namespaceNumber, database: this.#database, entries: this.entries, now: now()}),
		);
		this.runTransaction(() => this.#setGeneratedKeyCount());
	}

	/** Runs `work` in a transaction. */
	runTransaction<T>(work: () => T): T {
		return this.#database.runTransaction(work);
	}

	/** Resets everything to the content of a new world. */
	reset(): void {
		this.runTransaction(() => {
			this.#database.clear();
			populate(this.#database, this.#options);
			this.#setGeneratedKeyCount();
		});
	}

	close(): void {
		this.#database.close();
	}

	#setGeneratedKeyCount(): void {
		const {generatedKeys} = this.#options;
		if (generatedKeys !== undefined) this.namespaces.setGeneratedKeyCount(generatedKeys);
	}
}

function populate(database: WorldDatabase, {samples: hasSamples, seed, now}: WorldOptions): void {
	const resources = new Resources(database);
	if (seed) {
		addSeed(resources, seed, now());
		return;
	}
	for (const zone of sampleZones) resources.set('zone', simulatedAccount.id, String(zone.id), zone);
	if (!hasSamples) return;
	resources.markSampleZones([simulatedAccount.id, ...sampleZones.map(({id}) => String(id))], now());
	const insert = database.prepare('INSERT INTO namespaces (id, title, sample) VALUES (?, ?, ?)');
	for (const {id, title} of sampleNamespaces) insert.run(id, title, title);
}
