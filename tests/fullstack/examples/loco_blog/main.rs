//! An application of Loco with an initializer for the sitemap. `loco new` and `cargo loco generate model` write this file, as several ones.

use loco_rs::app::{AppContext, Hooks, Initializer};
use loco_rs::boot::{BootResult, StartMode, create_app};
use loco_rs::config::Config;
use loco_rs::controller::{AppRoutes, Routes};
use loco_rs::environment::Environment;
use loco_rs::prelude::*;
use loco_rs::task::Tasks;
use sea_orm_migration::{MigrationName, MigrationTrait, MigratorTrait, SchemaManager};

mod sitemap;

mod models {
    pub mod _entities {
        pub mod posts {
            use sea_orm::entity::prelude::*;

            #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
            #[sea_orm(table_name = "posts")]
            pub struct Model {
                pub created_at: DateTimeWithTimeZone,
                pub updated_at: DateTimeWithTimeZone,
                #[sea_orm(primary_key)]
                pub id: i32,
                #[sea_orm(unique)]
                pub slug: String,
            }

            #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
            pub enum Relation {}

            impl ActiveModelBehavior for ActiveModel {}
        }
    }
}

/// Creates the table, with three posts. The address of the last one is too long for a sitemap.
struct Posts;

impl MigrationName for Posts {
    fn name(&self) -> &str {
        "m20260501_000001_posts"
    }
}

#[async_trait]
impl MigrationTrait for Posts {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        use loco_rs::schema::{ColType, create_table};
        let columns = [("id", ColType::PkAuto), ("slug", ColType::StringUniq)];
        create_table(manager, "posts", &columns, &[]).await?;
        let db = manager.get_connection();
        db.execute_unprepared(
            "INSERT INTO posts (slug, updated_at) VALUES ('lamps', '2026-05-01 07:00:00+00:00'), ('dark lamps', '2026-05-02 07:00:00+00:00'), \
             (printf('%.3000c', 'x'), '2026-05-03 07:00:00+00:00')",
        )
        .await?;
        Ok(())
    }
}

struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(Posts)]
    }
}

/// The page of a post.
async fn post(Path(slug): Path<String>, State(ctx): State<AppContext>) -> Result<Response> {
    use models::_entities::posts;
    let post = posts::Entity::find()
        .filter(posts::Column::Slug.eq(slug))
        .one(&ctx.db)
        .await?;
    format::text(&post.ok_or(Error::NotFound)?.slug)
}

struct App;

#[async_trait]
impl Hooks for App {
    fn app_name() -> &'static str {
        env!("CARGO_CRATE_NAME")
    }

    async fn boot(mode: StartMode, environment: &Environment, config: Config) -> Result<BootResult> {
        create_app::<Self, Migrator>(mode, environment, config).await
    }

    async fn initializers(_: &AppContext) -> Result<Vec<Box<dyn Initializer>>> {
        Ok(vec![Box::new(sitemap::Sitemap)])
    }

    fn routes(_: &AppContext) -> AppRoutes {
        let pages = Routes::new()
            .add("/", get(|| async { "home" }))
            .add("/about", get(|| async { "about" }))
            .add("/posts/{slug}", get(post));
        AppRoutes::with_default_routes().add_route(pages)
    }

    async fn connect_workers(_: &AppContext, _: &Queue) -> Result<()> {
        Ok(())
    }

    fn register_tasks(_: &mut Tasks) {}

    async fn truncate(_: &AppContext) -> Result<()> {
        Ok(())
    }

    async fn seed(_: &AppContext, _: &std::path::Path) -> Result<()> {
        Ok(())
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    loco_rs::cli::main::<App, Migrator>().await
}
