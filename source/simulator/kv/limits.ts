/** The limits of the key-value store; sizes in bytes, times in seconds. */
export const kvServiceLimits = {
	keyBytes: 512,
	/** 25 × 1,024 × 1,024, measured after base64 decoding. */
	valueBytes: 26_214_400,
	metadataBytes: 1024,
	minimumTtl: 60,
	titleCharacters: 512,
	listPage: {minKeys: 10, maxKeys: 1000},
	bulkEntries: 10_000,
	bulkBytes: 100_000_000,
	keysPerBulkRead: 100,
} as const;

export const measureUtf8Bytes = (text: string): number => Buffer.byteLength(text, 'utf8');

export const getUnixSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);
