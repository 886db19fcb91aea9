import {isJsonObject, type JsonObject} from '../../text/json.ts';
import type {ResourceOwner, Resources} from '../world/resources.ts';
import {type CataloguePackage, getSampleCatalogue} from './catalogue.ts';
import {readSeed} from './seeded.ts';

/** The settings of a zone that differ from the catalogue, by id. They are stored as one object. */
export type Deviations = {
	/** The switch of all previous managed rules; undefined: on. */
	readonly waf?: 'on' | 'off';
	readonly switched?: string;
	readonly packages?: Readonly<Record<string, JsonObject>>;
	readonly groups?: Readonly<Record<string, string>>;
	readonly rules?: Readonly<Record<string, string>>;
};

const settingsKind = 'previous-waf';

/** The previous managed rules of one zone: the catalogue with the zone's changes. */
export class PreviousWaf {
	readonly #world: ResourceOwner;
	readonly #zoneId: string;

	constructor(world: ResourceOwner, zoneId: string) {
		this.#world = world;
		this.#zoneId = zoneId;
	}

	get isOn(): boolean {
		return (this.#getDeviations().waf ?? 'on') === 'on';
	}

	/** When the switch was last changed, in RFC 3339; null if never. */
	get lastSwitchTime(): string | null {
		return this.#getDeviations().switched ?? null;
	}

	setSwitch(waf: 'on' | 'off', now: number): void {
		this.#change({waf, switched: new Date(now).toISOString()});
	}

	listPackages(): readonly JsonObject[] {
		const {packages = {}} = this.#getDeviations();
		return this.#getCatalogue().map(cataloguePackage => ({
			...cataloguePackage.package,
			zone_id: this.#zoneId,
			...packages[String(cataloguePackage.package.id)],
		}));
	}

	listGroups(packageId: string): readonly JsonObject[] {
		const {groups = {}} = this.#getDeviations();
		const modifiedCounts = this.#countModifiedRules(packageId);
		return (this.#findPackage(packageId)?.groups ?? []).map(group => {
			const id = String(group.id);
			return {
				...group,
				mode: groups[id] ?? group.mode ?? 'on',
				...(modifiedCounts && {modified_rules_count: modifiedCounts.get(id) ?? 0}),
			};
		});
	}

	listRules(packageId: string): readonly JsonObject[] {
		const {rules = {}} = this.#getDeviations();
		return (this.#findPackage(packageId)?.rules ?? []).map(rule => {
			const mode = rules[String(rule.id)];
			return mode === undefined ? rule : {...rule, mode};
		});
	}

	changePackage(id: string, settings: JsonObject): void {
		const {packages = {}} = this.#getDeviations();
		this.#change({packages: {...packages, [id]: {...packages[id], ...settings}}});
	}

	changeGroup(id: string, mode: string): void {
		this.#change({groups: {...this.#getDeviations().groups, [id]: mode}});
	}

	changeRule(id: string, mode: string): void {
		this.#change({rules: {...this.#getDeviations().rules, [id]: mode}});
	}

	/**
	 * Counts the rules of each group that differ from the catalogue; undefined for a seeded zone, where that
	 * is unknown.
	 */
	#countModifiedRules(packageId: string): Map<string, number> | undefined {
		if (readSeed(this.#world, this.#zoneId)) return undefined;
		const {rules = {}} = this.#getDeviations();
		const counts = new Map<string, number>();
		for (const {id, mode, group} of this.#findPackage(packageId)?.rules ?? []) {
			const currentMode = rules[String(id)];
			if (currentMode === undefined || currentMode === mode || !isJsonObject(group)) continue;
			counts.set(String(group.id), (counts.get(String(group.id)) ?? 0) + 1);
		}
		return counts;
	}

	#findPackage(id: string): CataloguePackage | undefined {
		return this.#getCatalogue().find(cataloguePackage => cataloguePackage.package.id === id);
	}

	#getCatalogue(): readonly CataloguePackage[] {
		return readSeed(this.#world, this.#zoneId)?.packages ?? getSampleCatalogue();
	}

	#getDeviations(): Deviations {
		return (this.#world.resources.get(settingsKind, this.#zoneId, 'settings') ?? {}) as Deviations;
	}

	#change(change: Deviations): void {
		setDeviations(this.#world.resources, this.#zoneId, {...this.#getDeviations(), ...change});
	}
}

export function setDeviations(resources: Resources, zoneId: string, deviations: Deviations): void {
	resources.set(settingsKind, zoneId, 'settings', deviations as JsonObject);
}
