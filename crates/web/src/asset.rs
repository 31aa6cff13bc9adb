//! The page, built into the program. Its sources are in `page/`; `npm run build` there writes the files here.

/// A file that browsers may have.
#[derive(Debug)]
pub(crate) struct Asset {
    /// Its address.
    pub(crate) path: &'static str,
    /// What it is.
    pub(crate) media_type: &'static str,
    /// What is in it.
    pub(crate) bytes: &'static [u8],
}

/// Every file of the page.
pub(crate) const ASSETS: [Asset; 4] = [
    Asset {
        path: "/",
        media_type: "text/html; charset=utf-8",
        bytes: include_bytes!("../assets/index.html"),
    },
    Asset {
        path: "/page.js",
        media_type: "text/javascript; charset=utf-8",
        bytes: include_bytes!("../assets/page.js"),
    },
    Asset {
        path: "/page.css",
        media_type: "text/css; charset=utf-8",
        bytes: include_bytes!("../assets/page.css"),
    },
    Asset { path: "/icon.svg", media_type: "image/svg+xml", bytes: include_bytes!("../assets/icon.svg") },
];

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    /// What a visitor with a slow connection waits for.
    #[test]
    fn the_page_weighs_at_most_150_kilobytes_compressed() {
        let compressed = ASSETS.iter().map(|asset| {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(asset.bytes).unwrap();
            encoder.finish().unwrap().len()
        });
        let sum: usize = compressed.sum();
        assert!(sum <= 150_000, "{sum} bytes");
    }

    /// The content security policy forbids both, and a page that needs them would not work.
    #[test]
    fn the_page_has_no_script_of_its_own_and_asks_nobody_else() {
        let page = std::str::from_utf8(ASSETS[0].bytes).unwrap();
        assert!(page.contains("<script src=\"/page.js\""), "{page}");
        assert_eq!(page.matches("<script").count(), 1);
        assert!(!page.contains("http://") && !page.contains("https://") && !page.contains(" style="));
    }
}
