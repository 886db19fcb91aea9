import {isJsonObject, type JsonObject} from '../../text/json.ts';
import type {ResourceOwner, Resources} from '../world/resources.ts';
import {type CataloguePackage, sampleCatalogue} from './catalogue.ts';
import {readSeed} from './seeded.ts';

/** How a zone differs from the catalogue: stored as one object, by ids. */
export type Deviations = {
	/** The switch of all previous managed rules; undefined: on. */
	readonly waf?: 'on' | 'off';
	readonly switched?: string;
	readonly packages?: Readonly<Record<string, JsonObject>>;
	readonly groups?: Readonly<Record<string, string>>;
	readonly rules?: Readonly<Record<string, string>>;
};

const kind = 'previous-waf';

/** The previous managed rules of one zone: the catalogue with the zone's changes. */
export class PreviousWaf {
	readonly #world: ResourceOwner;
	readonly #zone: string;

	constructor(world: ResourceOwner, zone: string) {
		this.#world = world;
		this.#zone = zone;
	}

	get isOn(): boolean {
		return (this.#deviations().waf ?? 'on') === 'on';
	}

	/** When the switch was last changed, in RFC 3339. */
	get switched(): string | null {
		return this.#deviations().switched ?? null;
	}

	switch(waf: 'on' | 'off', now: number): void {
		this.#change({waf, switched: new Date(now).toISOString()});
	}

	packages(): readonly JsonObject[] {
		const {packages = {}} = this.#deviations();
		return this.#catalogue().map(one => ({
			...one.package,
			zone_id: this.#zone,
			...packages[String(one.package.id)],
		}));
	}

	groups(packageId: string): readonly JsonObject[] {
		const {groups = {}} = this.#deviations();
		const modified = this.#modifiedByGroup(packageId);
		return (this.#package(packageId)?.groups ?? []).map(group => {
			const id = String(group.id);
			return {
				...group,
				mode: groups[id] ?? group.mode ?? 'on',
				...(modified && {modified_rules_count: modified.get(id) ?? 0}),
			};
		});
	}

	rules(packageId: string): readonly JsonObject[] {
		const {rules = {}} = this.#deviations();
		return (this.#package(packageId)?.rules ?? []).map(rule => {
			const mode = rules[String(rule.id)];
			return mode === undefined ? rule : {...rule, mode};
		});
	}

	changePackage(id: string, settings: JsonObject): void {
		const {packages = {}} = this.#deviations();
		this.#change({packages: {...packages, [id]: {...packages[id], ...settings}}});
	}

	changeGroup(id: string, mode: string): void {
		this.#change({groups: {...this.#deviations().groups, [id]: mode}});
	}

	changeRule(id: string, mode: string): void {
		this.#change({rules: {...this.#deviations().rules, [id]: mode}});
	}

	/**
	 * Counts the rules of each group that differ from the catalogue; undefined for a seeded zone, where that
	 * is unknown.
	 */
	#modifiedByGroup(packageId: string): Map<string, number> | undefined {
		if (readSeed(this.#world, this.#zone)) return undefined;
		const {rules = {}} = this.#deviations();
		const counts = new Map<string, number>();
		for (const {id, mode, group} of this.#package(packageId)?.rules ?? []) {
			const now = rules[String(id)];
			if (now === undefined || now === mode || !isJsonObject(group)) continue;
			counts.set(String(group.id), (counts.get(String(group.id)) ?? 0) + 1);
		}
		return counts;
	}

	#package(id: string): CataloguePackage | undefined {
		return this.#catalogue().find(one => one.package.id === id);
	}

	#catalogue(): readonly CataloguePackage[] {
		return readSeed(this.#world, this.#zone)?.packages ?? sampleCatalogue();
	}

	#deviations(): Deviations {
		return (this.#world.resources.get(kind, this.#zone, 'settings') ?? {}) as Deviations;
	}

	#change(change: Deviations): void {
		setDeviations(this.#world.resources, this.#zone, {...this.#deviations(), ...change});
	}
}

export function setDeviations(resources: Resources, zone: string, deviations: Deviations): void {
	resources.set(kind, zone, 'settings', deviations as JsonObject);
}
