/** The jurisdictions that a new namespace can be kept in. Only durable storage is restricted to one. */
export const jurisdictions = ['eu', 'us', 'fedramp'] as const;

export type Jurisdiction = (typeof jurisdictions)[number];

/** Where the service keeps a namespace; undefined for no restriction. The service may add jurisdictions. */
export type KeptNamespace = {readonly title: string; readonly jurisdiction?: string | undefined};

const labels: Readonly<Record<string, string>> = {
	eu: 'the EU',
	us: 'the US',
	fedramp: 'the FedRAMP jurisdiction',
} satisfies Record<Jurisdiction, string>;

/** Formats a jurisdiction for a sentence: "the EU". The service may add others. */
export const formatJurisdiction = (jurisdiction: string): string =>
	Object.hasOwn(labels, jurisdiction) ? `${labels[jurisdiction]}` : `the jurisdiction "${jurisdiction}"`;

export const unchangeableJurisdiction =
	'The jurisdiction of a namespace is set when it is created and cannot be changed.';

/** Warns if two namespaces are kept in different jurisdictions. Undefined if they are not. */
export function formatJurisdictionWarning(one: KeptNamespace, other: KeptNamespace): string | undefined {
	if (one.jurisdiction === other.jurisdiction) return undefined;
	const [kept, free] = one.jurisdiction === undefined ? [other, one] : [one, other];
	const keptClause = `${kept.title} is kept in ${formatJurisdiction(kept.jurisdiction ?? '')}`;
	return free.jurisdiction === undefined
		? `${keptClause}; ${free.title} is not.`
		: `${keptClause}; ${free.title} in ${formatJurisdiction(free.jurisdiction)}.`;
}

type DescribedStore = {describe?(signal: AbortSignal): Promise<KeptNamespace>};

/**
 * Reads the jurisdictions of two stores, and warns if they differ. Undefined if one of them is no namespace of
 * the service, or cannot be read: the reads that follow report that.
 */
export async function findJurisdictionWarning(
	one: DescribedStore,
	other: DescribedStore,
	signal: AbortSignal,
): Promise<string | undefined> {
	if (!one.describe || !other.describe) return undefined;
	try {
		return formatJurisdictionWarning(...(await Promise.all([one.describe(signal), other.describe(signal)])));
	} catch (error) {
		if (signal.aborted) throw error;
		return undefined;
	}
}
