import {type Fault, parseFaults} from './faults.ts';

/** A fault, and the number of requests that it could have struck. */
type PlannedFault = {readonly fault: Fault; chances: number};

/** The faults of a running simulator. */
export class FaultPlan {
	#plannedFaults: PlannedFault[] = [];

	constructor(faults: readonly Fault[] = []) {
		this.add(faults);
	}

	/** Adds faults, or their text. Fails with `usage` on bad text, without a change. */
	add(faults: readonly Fault[] | string): void {
		const newFaults = typeof faults === 'string' ? parseFaults(faults) : faults;
		this.#plannedFaults.push(...newFaults.map(fault => ({fault, chances: 0})));
	}

	/** Replaces all faults. Fails with `usage` on bad text, without a change. */
	replace(faults: readonly Fault[] | string): void {
		const newFaults = typeof faults === 'string' ? parseFaults(faults) : faults;
		this.clear();
		this.add(newFaults);
	}

	clear(): void {
		this.#plannedFaults = [];
	}

	list(): readonly Fault[] {
		return this.#plannedFaults.map(({fault}) => fault);
	}

	/** Returns the faults that may strike a request. */
	match(method: string, path: string): Strikes {
		const decodedPath = decodePath(path);
		return new Strikes(
			this.#plannedFaults.filter(
				({fault}) =>
					(fault.method === undefined || fault.method === method) &&
					(fault.path === undefined || path.includes(fault.path) || decodedPath.includes(fault.path)),
			),
		);
	}
}

/**
 * The faults that may strike one request. A fault counts a request once, when one of its effects is first
 * needed and applies. So a fault that refuses keys does not count requests without these keys.
 */
export class Strikes {
	readonly #plannedFaults: readonly PlannedFault[];
	readonly #decisions = new Map<PlannedFault, boolean>();

	constructor(planned: readonly PlannedFault[]) {
		this.#plannedFaults = planned;
	}

	/**
	 * Returns the faults with this effect that strike the request and for which `applies` is true. The
	 * request counts for their `after` and `times`.
	 */
	take<Field extends keyof Fault>(
		field: Field,
		applies: (fault: Fault & {readonly [Name in Field]-?: NonNullable<Fault[Name]>}) => boolean = () => true,
	) {
		type FaultWithField = Fault & {readonly [Name in Field]-?: NonNullable<Fault[Name]>};
		const hasField = (planned: PlannedFault): planned is PlannedFault & {fault: FaultWithField} =>
			planned.fault[field] !== undefined;
		return this.#plannedFaults
			.filter(hasField)
			.filter(planned => applies(planned.fault) && this.#decideStrike(planned))
			.map(planned => planned.fault);
	}

	#decideStrike(planned: PlannedFault): boolean {
		const hadStruck = this.#decisions.get(planned);
		if (hadStruck !== undefined) return hadStruck;
		planned.chances += 1;
		const {after = 0, times = Number.POSITIVE_INFINITY} = planned.fault;
		const isStriking = planned.chances > after && planned.chances <= after + times;
		this.#decisions.set(planned, isStriking);
		return isStriking;
	}
}

function decodePath(path: string): string {
	try {
		return decodeURIComponent(path);
	} catch {
		return path;
	}
}
